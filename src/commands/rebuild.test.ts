import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GoalId } from "../core/id.ts";
import { initProject } from "./init.ts";
import { rebuild } from "./rebuild.ts";
import { status } from "./status.ts";
import { type SampleGround, sampleGround } from "./workspace.sample.ts";
import type { Workspace } from "./workspace.ts";

const GOAL = "importer" as GoalId;
let ground: SampleGround;
let workspace: Workspace;

beforeEach(async () => {
  ground = sampleGround();
  await initProject(ground, { objective: "Ship it", goalId: GOAL, project: null, dryRun: false });
  workspace = await ground.workspace();
});
afterEach(() => ground.remove());

test("what was right stays equal, byte for byte, and caches are made anew (R1)", async () => {
  await status(workspace, {
    goalId: null,
    agentId: null,
    all: true,
    fields: [],
    cacheTtlSeconds: null,
    clearCache: false,
    limit: null,
    cursor: null,
  });
  const before = await workspace.store.load({ goal_id: GOAL, todos: "all", base: "text" });
  const answer = await rebuild(workspace, { goalId: null });
  expect(answer).toMatchObject({
    kind: "done",
    value: { ok: true, goal_count: 1, different: 0, goals: [{ goal_id: GOAL, equal: true }] },
  });
  expect(await workspace.store.load({ goal_id: GOAL, todos: "all", base: "text" })).toEqual(before);
  expect((await workspace.store.views(workspace.roots.registry_path, [GOAL])).size).toBe(0);
});

test("what was wrong is told and put right (R1)", async () => {
  const { head } = await workspace.store.load({ goal_id: GOAL, todos: "none", base: "none" });
  await workspace.store.rebuild(GOAL, () => ({ head: head === null ? null : { ...head, run_count: 99 }, todos: new Map() }));
  expect(await rebuild(workspace, { goalId: GOAL })).toMatchObject({ value: { different: 1, goals: [{ equal: false }] } });
  expect((await workspace.store.load({ goal_id: GOAL, todos: "none", base: "none" })).head).toEqual(head);
  await workspace.store.rebuild(GOAL, () => ({ head: null, todos: new Map() }));
  expect(await rebuild(workspace, { goalId: null })).toMatchObject({ value: { different: 1 } });
  expect(await rebuild(workspace, { goalId: null })).toMatchObject({ value: { different: 0 } });
});

test("a commit of another process in between is no difference (R2)", async () => {
  const other = await ground.workspace();
  let once = true;
  const racing: Workspace = {
    ...workspace,
    store: {
      ...workspace.store,
      rebuild: async (goalId, fold) => {
        if (once) {
          once = false;
          const { registry_path } = other.roots;
          const { readFileSync } = await import("node:fs");
          const stopped = readFileSync(registry_path, "utf8").replace('"status"', '"activation": {"state": "stopped"}, "status"');
          writeFileSync(registry_path, stopped);
          const { persistGoal } = await import("./persist-goal.ts");
          await persistGoal(other, GOAL);
        }
        return await workspace.store.rebuild(goalId, fold);
      },
    },
  };
  expect(await rebuild(racing, { goalId: GOAL })).toMatchObject({ value: { events: 3, different: 0 } });
});

test("goals without a journal, and unknown ones", async () => {
  writeFileSync(workspace.roots.registry_path, JSON.stringify({ goals: [{ id: "new" }], common_runtime_root: ".loopx/runtime" }));
  expect(await rebuild(workspace, { goalId: "new" })).toMatchObject({ value: { events: 0, different: 0 } });
  expect(await rebuild(workspace, { goalId: GOAL })).toMatchObject({ value: { goal_count: 1, different: 0 } });
  expect(await rebuild(workspace, { goalId: "importre" })).toMatchObject({ kind: "bad_input", code: "unknown_goal" });
  expect(await rebuild(workspace, { goalId: "../x" })).toMatchObject({ kind: "bad_input", code: "goal_id_separator" });
});
