import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editableFiles } from "../adapters/files/editable-files.ts";
import type { GoalId } from "../core/id.ts";
import type { ReplaceOutcome } from "../ports/files.ts";
import { editRegistryFile, rehearseEdit } from "./edit-registry.ts";
import { type SampleGround, sampleGround } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

let ground: SampleGround;
let path: string;

beforeEach(() => {
  ground = sampleGround();
  path = join(ground.folder, ".loopx/registry.json");
  mkdirSync(join(ground.folder, ".loopx"));
  writeFileSync(path, '{"schema_version": "0.1", "common_runtime_root": "data", "goals": []}\n');
});
afterEach(() => ground.remove());

const entry = (id: string): { readonly id: string; readonly repo: string } => ({ id, repo: "." });
const ids = (): readonly string[] => JSON.parse(readFileSync(path, "utf8")).goals.map((goal: { id: string }) => goal.id);

test("60 goals added at once through 6 stores are all there (E1)", async () => {
  const stores = await Promise.all(Array.from({ length: 6 }, () => ground.workspace()));
  const wanted = Array.from({ length: 60 }, (_, n) => `goal-${n}`);
  const edits = wanted.map((id, n) =>
    editRegistryFile(stores[n % 6] as WritingWorkspace, { kind: "add_goal", entry: entry(id) }),
  );
  for (const edit of await Promise.all(edits))
    expect(edit).toMatchObject({ kind: "done", value: { changed: true, registry: path } });
  expect([...ids()].sort()).toEqual([...wanted].sort());
});

/** A person saves right before each of the first `times` replacements. */
function withRival(workspace: WritingWorkspace, times: number): WritingWorkspace {
  let saves = 0;
  const replaceFile = (asked: Parameters<WritingWorkspace["files"]["replaceFile"]>[0]): ReplaceOutcome => {
    if (saves < times) {
      saves += 1;
      writeFileSync(path, readFileSync(path, "utf8").replace('"goals"', `"saved_${saves}": true, "goals"`));
    }
    return editableFiles.replaceFile(asked);
  };
  return { ...workspace, files: { ...editableFiles, replaceFile } };
}

test("what a person saves meanwhile stays (E2)", async () => {
  const workspace = withRival(await ground.workspace(), 3);
  expect(await editRegistryFile(workspace, { kind: "add_goal", entry: entry("a") })).toMatchObject({ kind: "done" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    saved_1: true,
    saved_2: true,
    saved_3: true,
    goals: [{ id: "a" }],
  });
});

test("a file that never rests is left to whoever saves it, and the answer says try again (E2)", async () => {
  const workspace = withRival(await ground.workspace(), Number.POSITIVE_INFINITY);
  expect(await editRegistryFile(workspace, { kind: "add_goal", entry: entry("a") })).toMatchObject({
    kind: "refusal",
    code: "file_changed",
  });
  expect(ids()).toEqual([]);
});

test("what cannot be read, or is newer, is left as it is (E3)", async () => {
  const workspace = await ground.workspace();
  for (const text of ['{"goals": [', "", '{"goals": {}}', '{"version": 99, "goals": [], "mine": 1}']) {
    writeFileSync(path, text);
    const edit = await editRegistryFile(workspace, { kind: "add_goal", entry: entry("a") });
    expect(edit.kind).not.toBe("done");
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("a rehearsal answers the same and writes nothing", async () => {
  const workspace = await ground.workspace();
  const change = { kind: "add_goal", entry: entry("a") } as const;
  const before = readFileSync(path, "utf8");
  const rehearsed = await rehearseEdit(workspace, change);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(await editRegistryFile(workspace, change)).toEqual(rehearsed);
  const same = { kind: "set_activation", goal_id: "a" as GoalId, state: "active" } as const;
  expect(await editRegistryFile(workspace, same)).toMatchObject({ value: { changed: false } });
  expect(await editRegistryFile(workspace, change)).toMatchObject({ kind: "refusal", code: "goal_exists" });
});

test("a place that cannot be written is an answer", async () => {
  const workspace = await ground.workspace();
  const problem = { path, code: "file_not_permitted", message: "may not be opened" };
  for (const [outcome, code] of [
    [{ kind: "missing" }, "registry_not_found"],
    [{ kind: "refused", problem }, "file_not_permitted"],
  ] as const) {
    const files = { ...editableFiles, replaceFile: (): ReplaceOutcome => outcome };
    expect(await editRegistryFile({ ...workspace, files }, { kind: "add_goal", entry: entry("a") })).toMatchObject({
      kind: "bad_input",
      code,
    });
  }
});
