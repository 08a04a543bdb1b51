// What a kill leaves of replacing a state file, and how the next command ends it.
import { createHash } from "node:crypto";
import { linkSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { goalOf, say, takeIn } from "../../test/fakes/asks.ts";
import { makeWorld, REFRESH, type World, type WorldOptions } from "../../test/fakes/workspace.ts";
import { editableFiles } from "../adapters/files/editable-files.ts";

const worlds: World[] = [];

async function world(options: WorldOptions = {}): Promise<World> {
  const made = await makeWorld(options);
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

/** As a process that died between the rename and the last look: the old file under its second name, with a save in it. */
async function killedAfterRename(saved: string): Promise<World> {
  let isDead = false;
  const of: World = await world({
    store: "sqlite",
    files: {
      replaceFile: (replacement) => {
        if (isDead) return editableFiles.replaceFile(replacement);
        isDead = true;

        const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
        const real = realpathSync(replacement.path);
        const name = sha("ACTIVE_GOAL_STATE.md").slice(0, 8);
        const old = readFileSync(real, "utf8");
        const digests = `${name}-${sha(old).slice(0, 16)}-${sha(replacement.next).slice(0, 16)}`;
        const backup = join(dirname(real), `.loopx-999999999-0123456789ab-${digests}.old`);
        linkSync(real, backup);
        writeFileSync(`${real}.new`, replacement.next);
        renameSync(`${real}.new`, real);
        if (saved !== "") writeFileSync(backup, old.replace("nobody's", saved));
        return { kind: "refused", problem: { code: "killed", message: "killed" } };
      },
    },
  });
  await takeIn(of);
  await say(of, "Second.");
  expect(of.text()).toContain("- Second.");
  return of;
}

test("its second name goes with the next command that writes", async () => {
  const of = await killedAfterRename("");
  await takeIn(of);
  expect(readdirSync(dirname(of.stateFile))).toEqual(["ACTIVE_GOAL_STATE.md"]);
  expect(of.text()).toContain("- Second.");
  expect(await goalOf(of)).toMatchObject({ next_action: "Second.", conflicts: [] });
});

test("a save that was overtaken is merged by the next command that writes", async () => {
  const of = await killedAfterRename("somebody's");
  await takeIn(of);
  expect(readdirSync(dirname(of.stateFile))).toEqual(["ACTIVE_GOAL_STATE.md"]);
  expect(of.text()).toContain("somebody's");
  expect(of.text()).toContain("- Second.");
  expect(await goalOf(of)).toMatchObject({ next_action: "Second.", conflicts: [] });
});

test("a run recorded next does so too", async () => {
  const of = await killedAfterRename("somebody's");
  expect(await of.app.refresh(REFRESH)).toMatchObject({ kind: "done", value: { warnings: [] } });
  expect(of.text()).toContain("somebody's");
  expect(of.text()).toContain("- Second.");
  expect(await goalOf(of)).toMatchObject({ next_action: "Second.", conflicts: [] });
});

test("what is left of another file stays", async () => {
  const of = await killedAfterRename("");
  const other = join(dirname(of.stateFile), ".loopx-999999999-0123456789ab-00000000-0000000000000000-0000000000000000.old");
  writeFileSync(other, "of another file");
  await takeIn(of);
  expect(readFileSync(other, "utf8")).toBe("of another file");
});
