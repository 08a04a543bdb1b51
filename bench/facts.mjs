// Events of a goal without the command that would record each.

import { environment } from "./ground.mjs";

const AT_ONCE = 2000;

/**
 * The product on a tree, in this process.
 * @param {typeof import("./library.mjs")} lib
 * @param {{ readonly project: string, readonly home: string }} tree
 */
export async function openProduct(lib, { project, home }) {
  const composed = lib.compose({
    registry: null,
    runtimeRoot: null,
    cwd: project,
    env: environment(home),
    log: { level: null, file: null, echo: null, correlation: "bench" },
    progress: { report: () => {} },
  });
  const opened = await composed.workspace();
  if (opened.kind !== "done") throw new Error(JSON.stringify(opened));
  return { composed, app: composed.app, workspace: opened.value };
}

/**
 * Appends `count` events, a minute apart from `began` on; `factAt` says which.
 * @param {typeof import("./library.mjs")} lib
 * @param {any} workspace
 * @param {{ readonly goal: string, readonly count: number, readonly began: number, readonly factAt: (at: number) => any }} wanted
 */
export async function appendFacts(lib, workspace, { goal, count, began, factAt }) {
  const parsed = lib.parseGoalId(goal);
  if (!parsed.ok) throw new Error("no goal id");
  const goal_id = parsed.id;
  for (let from = 0; from < count; from += AT_ONCE) {
    const until = Math.min(from + AT_ONCE, count);
    await workspace.store.transact([{ goal_id, todos: "all", base: "none" }], (/** @type {any[]} */ [loaded]) => {
      const draft = lib.draftOf(goal_id, loaded);
      for (let at = from; at < until; at += 1) lib.append(draft, [factAt(at)], { at: instantOf(lib, began + at * 60_000) });
      const touched = [...draft.touched];
      const todos_put = touched.flatMap((id) => draft.todos.get(id) ?? []);
      const todos_removed = touched.filter((id) => !draft.todos.has(id));
      return { answer: null, changes: [{ goal_id, events: draft.events, head: draft.head, todos_put, todos_removed }] };
    });
  }
}

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {number} milliseconds
 */
function instantOf(lib, milliseconds) {
  const instant = lib.instantFromEpoch(milliseconds);
  if (instant === null) throw new Error("no instant");
  return instant;
}

/**
 * A run that says that the state was refreshed.
 * @param {number} at
 */
export function runFact(at) {
  return {
    type: "run.recorded",
    data: {
      classification: "state_refreshed",
      recommended_action: `Look at batch ${at} and move what is left of it to the new format.`,
      recommended_action_source: "active_state_next_action",
      health_check: "state_file 1/1; registry_goal 1/1",
      progress_scope: "goal",
      state: {
        path: "/project/.codex/goals/goal/ACTIVE_GOAL_STATE.md",
        sha256_16: "0123456789abcdef",
        frontmatter: { updated_at: "2026-10-01T12:00:00+00:00", status: "active" },
        next_action: [`Look at batch ${at}`],
        recent_feedback: ["Keep the old format readable until spring."],
        progress: ["2026-09-28: samples collected."],
      },
    },
  };
}
