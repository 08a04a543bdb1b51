// Where LoopX writes a state file: links, modes, files outside of the project, files that are shared.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { driftKinds, eventsOf, type Json, say, takeIn } from "../../test/fakes/asks.ts";
import {
  makeWorld,
  REFRESH,
  registryText,
  STATE,
  STATUS,
  type World,
  type WorldOptions,
  write,
} from "../../test/fakes/workspace.ts";

const worlds: World[] = [];

async function world(options: WorldOptions = {}): Promise<World> {
  const made = await makeWorld(options);
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

test("a symlinked state file stays a symlink, and its target changes", async () => {
  const of = await world();
  const target = join(dirname(of.stateFile), "REAL.md");
  renameSync(of.stateFile, target);
  symlinkSync("REAL.md", of.stateFile);
  await say(of, "Second.");
  expect(lstatSync(of.stateFile).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toContain("- Second.");
});

test("F1 a link that leads out of the project is neither read nor written", async () => {
  const of = await world();
  const outside = await world();
  const kept = outside.text();
  await takeIn(of);
  renameSync(of.stateFile, `${of.stateFile}.aside`);
  symlinkSync(outside.stateFile, of.stateFile);
  expect(await of.app.refresh({ ...REFRESH, nextAction: "Second." })).toMatchObject({
    kind: "bad_input",
    code: "state_file_outside",
    problems: [{ path: of.stateFile }],
  });
  expect(outside.text()).toBe(kept);
  const reply: Json = await of.app.status({ ...STATUS, goalId: "alpha" });
  expect(reply.value.goals[0]).toMatchObject({ state_file: { kind: "unreadable" }, next_action: "Begin." });
});

test("a state file that the registry itself puts outside of the project is used", async () => {
  const of = await world();
  const outside = await world();
  writeFileSync(of.registryPath, registryText(["alpha"], { state_file: outside.stateFile }));
  await say(of, "Second.");
  expect(outside.text()).toContain("- Second.");
  expect(of.text()).toBe(STATE);
});

test.each([0o600, 0o640, 0o444, 0o755])("the mode %o is kept", async (mode) => {
  const of = await world();
  chmodSync(of.stateFile, mode);
  await say(of, "Second.");
  expect(of.text()).toContain("- Second.");
  expect(statSync(of.stateFile).mode & 0o777).toBe(mode);
});

test("nothing is left beside the file", async () => {
  const of = await world();
  await say(of, "Second.");
  expect(readdirSync(dirname(of.stateFile))).toEqual(["ACTIVE_GOAL_STATE.md"]);
});

test("a dry run writes nothing anywhere", async () => {
  const of = await world({ store: "sqlite" });
  const before = of.text();
  const reply: Json = await of.app.refresh({ ...REFRESH, nextAction: "Second.", dryRun: true });
  expect(reply.value).toMatchObject({
    dry_run: true,
    appended: false,
    active_state_next_action_update: { would_update: true },
  });
  expect(of.text()).toBe(before);
  expect(await eventsOf(of)).toEqual([]);
  expect(existsSync(join(of.project, ".loopx/runtime/goals"))).toBe(false);
});

test("two goals that share one state file are told, and a rendering of one is a person's edit to the other", async () => {
  const of = await world();
  const registry = JSON.parse(registryText(["alpha", "beta"]));
  registry.goals[1].state_file = registry.goals[0].state_file;
  write(of.registryPath, JSON.stringify(registry));
  await takeIn(of);
  await say(of, "Second.");
  await takeIn(of);
  const reply: Json = await of.app.status(STATUS);
  expect(reply.value.goals.map((each: Json) => each.next_action)).toEqual(["Second.", "Second."]);
  expect(await driftKinds(of)).toContain("state_file_shared");
  expect(of.text().split("- Second.")).toHaveLength(2);
});
