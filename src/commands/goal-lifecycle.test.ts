// `goal-lifecycle` from arguments to bytes: what it answers, how it ends, and what the registry and the journal say after it.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answered, loopx, loopxPage } from "../../test/fakes/cli.ts";
import { makeWorld, registryText, type World, write } from "../../test/fakes/workspace.ts";
import type { GoalId } from "../core/id.ts";
import { printedBytes } from "../core/show/print-json.ts";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const lifecycle = (operation: string, ...more: readonly string[]): Promise<Answered> =>
  loopx(world, "goal-lifecycle", "--goal-id", "alpha", "--operation", operation, ...more);
const registry = (): string => readFileSync(world.registryPath, "utf8");
const activation = (): unknown => JSON.parse(registry()).goals[0].activation;

async function facts(): Promise<readonly (readonly [type: string, data: object])[]> {
  const events = await world.store.events({ goal_id: "alpha" as GoalId, order: "oldest_first", limit: 100 });
  return events
    .map(({ type, data }) => [type, data] as const)
    .filter(([type]) => type === "goal.stopped" || type === "goal.activated");
}

const FIELDS = [
  ...["ok", "goal_id", "before_state", "after_state", "activation", "changed", "dry_run", "execute", "written", "registry"],
  "warnings",
];

describe("the answer", () => {
  test("has the reference's names, and a preview changes no byte", async () => {
    const before = registry();
    const { exit, answer } = await lifecycle("stop", "--reason", "Waits for the API");
    expect([exit, Object.keys(answer)]).toEqual([0, FIELDS]);
    expect(answer).toEqual({
      ok: true,
      goal_id: "alpha",
      before_state: "active",
      after_state: "stopped",
      activation: { state: "stopped", reason: "Waits for the API" },
      changed: true,
      dry_run: true,
      execute: false,
      written: false,
      registry: world.registryPath,
      warnings: [],
    });
    for (const asked of [["--dry-run"], ["--execute=false"], ["--execute", "false"]])
      expect(await lifecycle("stop", "--reason", "Waits for the API", ...asked)).toEqual({ exit: 0, answer });
    expect(registry()).toBe(before);
    expect(await facts()).toEqual([]);
  });

  test("of the deed differs from its preview only in that it was written; the same again writes nothing", async () => {
    const preview = await lifecycle("stop", "--reason", "Waits for the API");
    const { exit, answer } = await lifecycle("stop", "--reason", "Waits for the API", "--execute");
    expect([exit, answer]).toEqual([0, { ...preview.answer, dry_run: false, execute: true, written: true }]);
    expect(activation()).toMatchObject({
      schema_version: "loopx_goal_activation_v1",
      state: "stopped",
      reason: "Waits for the API",
    });
    const once = registry();
    expect((await lifecycle("stop", "--execute")).answer).toEqual({
      ...answer,
      before_state: "stopped",
      changed: false,
      written: false,
    });
    expect(registry()).toBe(once);
    expect(await facts()).toEqual([["goal.stopped", { reason: "Waits for the API" }]]);
  });

  test("of a resumption carries its reason to registry and journal", async () => {
    await lifecycle("stop", "--execute");
    const { answer } = await lifecycle("resume", "--reason", "The API is there", "--execute");
    expect(answer).toMatchObject({
      before_state: "stopped",
      after_state: "active",
      activation: { state: "active", reason: "The API is there" },
      changed: true,
      written: true,
    });
    expect(activation()).toMatchObject({ state: "active", reason: "The API is there" });
    expect(await facts()).toEqual([
      ["goal.stopped", { reason: "" }],
      ["goal.activated", { reason: "The API is there" }],
    ]);
  });

  test("is at most 8 KiB, whatever the registry says", async () => {
    write(world.registryPath, registryText(["alpha"], { activation: { state: "stopped", reason: "\u0001日".repeat(9000) } }));
    const { exit, answer } = await lifecycle("stop");
    expect(exit).toBe(0);
    expect(answer.activation.reason).toMatch(/…$/);
    expect(printedBytes(answer)).toBeLessThanOrEqual(8192);
  });

  test("for people is the page of goal stop, and says how a preview becomes the deed", async () => {
    const page = (...more: readonly string[]): Promise<string> =>
      loopxPage(world, "goal-lifecycle", "--goal-id", "alpha", "--operation", "stop", ...more);
    expect(await page()).toMatch(
      /^# The goal would be stopped[^\n]* \(nothing was written\)\n[\s\S]*Next: the same command with `--execute`\n$/,
    );
    expect(await page("--execute")).toMatch(/^# The goal is stopped[^\n]*\n[\s\S]*Next: `loopx goal resume --goal-id alpha`\n$/);
  });
});

test("does what goal stop and goal resume do: the same bytes, the same facts", async () => {
  const other = await makeWorld();
  try {
    await lifecycle("stop", "--reason", "Winter", "--execute");
    await loopx(other, "goal", "stop", "--goal-id", "alpha", "--reason", "Winter");
    const timeless = (path: string): string =>
      readFileSync(path, "utf8")
        .replaceAll(/"updated_at":\s*"[^"]*"/g, "")
        .replaceAll(other.project, world.project);
    expect(timeless(world.registryPath)).toBe(timeless(other.registryPath));
    await lifecycle("resume", "--execute");
    await loopx(other, "goal", "resume", "--goal-id", "alpha");
    expect(timeless(world.registryPath)).toBe(timeless(other.registryPath));
  } finally {
    await other.close();
  }
});

describe("is refused, and changes nothing:", () => {
  test.each<[string, number, string, readonly string[]]>([
    ["neither stop nor resume", 2, "option_value_invalid", ["--operation", "archive"]],
    ["no operation", 2, "option_missing", []],
    ["an option that is not there", 2, "unknown_option", ["--operation", "stop", "--force"]],
    ["to write and not to write", 2, "option_conflict", ["--operation", "stop", "--dry-run", "--execute"]],
    ["a reason that is too long", 2, "reason_too_long", ["--operation", "stop", "--reason", "x".repeat(601), "--execute"]],
    ["an unknown goal", 3, "unknown_goal", ["--goal-id", "alpah", "--operation", "stop", "--execute"]],
  ])("%s", async (_, exit, code, more) => {
    const before = registry();
    const goal = more.includes("--goal-id") ? [] : ["--goal-id", "alpha"];
    expect(await loopx(world, "goal-lifecycle", ...goal, ...more)).toMatchObject({ exit, answer: { ok: false, code } });
    expect(registry()).toBe(before);
    expect(await facts()).toEqual([]);
  });

  test("an activation that cannot be understood", async () => {
    write(world.registryPath, registryText(["alpha"], { activation: { state: "paused" } }));
    const before = registry();
    const { exit, answer } = await lifecycle("resume", "--execute");
    expect([exit, answer.code]).toEqual([1, "goal_activation_invalid"]);
    expect(registry()).toBe(before);
  });

  test("a goal that is archived, which is restored instead", async () => {
    await loopx(world, "refresh", "--goal-id", "alpha");
    expect((await loopx(world, "archive", "--goal-id", "alpha", "--allow-registered")).exit).toBe(0);
    const before = registry();
    const { exit, answer } = await lifecycle("resume", "--execute");
    expect([exit, answer.code, answer.fix]).toEqual([1, "goal_archived", "loopx restore --goal-id alpha"]);
    expect(registry()).toBe(before);
  });
});
