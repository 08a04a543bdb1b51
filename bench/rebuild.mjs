// Head and todos of one goal from 100,000 events.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { environment, NODE, PROGRAM, timed } from "./ground.mjs";
import { median, ms, whole } from "./numbers.mjs";
import { product } from "./product.mjs";
import { atMost, row } from "./report.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report } from "./report.mjs" */

const AT_ONCE = 2000;
const TODOS = 300;

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function rebuild(ground) {
  const tree = makeTree(join(ground.folder("rebuild"), "tree"), { goals: 1, runs: 10 });
  const events = ground.quick ? 10_000 : 100_000;
  const lib = await product();
  const composed = lib.compose({
    registry: null,
    runtimeRoot: null,
    cwd: tree.project,
    env: environment(tree.home),
    log: { level: null, file: null, echo: null, correlation: "bench" },
    progress: { report: () => {} },
  });
  const opened = await composed.workspace();
  if (opened.kind !== "done") throw new Error(JSON.stringify(opened));
  const workspace = opened.value;
  console.error(`Writing ${events} events …`);
  await fill(lib, workspace, events);
  const inProcess = [];
  for (let round = 0; round < 5; round += 1) {
    const began = process.hrtime.bigint();
    const answer = await lib.rebuild(workspace, { goalId: goalName(0) });
    inProcess.push(Number(process.hrtime.bigint() - began) / 1e9);
    if (answer.kind !== "done" || answer.value.events !== events || answer.value.different !== 0)
      throw new Error(`not rebuilt: ${JSON.stringify(answer)}`);
  }
  await composed.close();
  return {
    title: `Rebuild of ${whole(events)} events of one goal`,
    how: `60 % runs, 30 % changes of ${TODOS} todos, the rest next actions. The journal is read, folded and compared with what is stored; medians of 5.`,
    rows: [...commandRows(tree), atMost("the library's `rebuild`, by the clock", median(inProcess), { most: 2, as: ms })],
  };
}

/** @param {{ readonly project: string, readonly home: string }} tree */
function commandRows({ project, home }) {
  const argv = [NODE, PROGRAM, "rebuild", "--goal-id", goalName(0)];
  const { status } = spawnSync(NODE, argv.slice(1), { cwd: project, env: environment(home) });
  if (status !== 0) return [row("`loopx rebuild --goal-id g`", `not measured: it ends with ${status}`)];
  const runs = Array.from({ length: 5 }, () => timed(argv, { cwd: project, home, times: 1 })[0]);
  const seconds = median(runs.map((run) => run.seconds));
  return [
    atMost("`loopx rebuild --goal-id g`, whole process", seconds, {
      most: 2,
      as: ms,
      shown: `${ms(seconds)} (${ms(median(runs.map((run) => run.cpu)))} CPU)`,
    }),
  ];
}

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {any} workspace
 * @param {number} events
 */
async function fill(lib, workspace, events) {
  const parsed = lib.parseGoalId(goalName(0));
  if (!parsed.ok) throw new Error("no goal id");
  const goal_id = parsed.id;
  const began = Date.UTC(2026, 0, 1);
  const instantOf = (/** @type {number} */ at) => {
    const instant = lib.instantFromEpoch(began + at * 60_000);
    if (instant === null) throw new Error("no instant");
    return instant;
  };
  for (let from = 0; from < events; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, events - from);
    await workspace.store.transact([{ goal_id, todos: "all", base: "none" }], (/** @type {any[]} */ [loaded]) => {
      const draft = lib.draftOf(goal_id, loaded);
      for (let at = from; at < from + count; at += 1) lib.append(draft, [factAt(lib, workspace, at)], { at: instantOf(at) });
      const touched = [...draft.touched];
      const todos_put = touched.flatMap((id) => draft.todos.get(id) ?? []);
      const todos_removed = touched.filter((id) => !draft.todos.has(id));
      return { answer: null, changes: [{ goal_id, events: draft.events, head: draft.head, todos_put, todos_removed }] };
    });
  }
}

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {any} workspace
 * @param {number} at
 * @returns {any}
 */
function factAt(lib, workspace, at) {
  if (at === 0) return { type: "goal.opened", data: { registry: workspace.roots.registry_path } };
  if (at <= TODOS) return { type: "todo.added", data: { todo: todoAt(lib, at), source: "command" } };
  const todo_id = lib.parseTodoId(`todo_bench_${1 + (at % TODOS)}`);
  if (at % 10 < 3) {
    const fields = { status: at % 20 < 10 ? "done" : "open", text: `Move batch ${at} to the new format` };
    return { type: "todo.changed", data: { todo_id, fields, source: "file" } };
  }
  if (at % 10 === 3) return { type: "plan.next_action_set", data: { entries: [`Look at batch ${at}`], source: "file" } };
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

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {number} at
 */
function todoAt(lib, at) {
  return {
    todo_id: lib.parseTodoId(`todo_bench_${at}`),
    id_source: "metadata",
    role: "agent",
    text: `Move batch ${at} to the new format`,
    status: "open",
    priority: at % 4,
    task_class: "advancement_task",
    section: "Agent Todo",
    index: at,
    archived: false,
    metadata: { todo_id: `todo_bench_${at}`, status: "open" },
  };
}
