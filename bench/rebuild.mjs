// Head and todos of one goal from 100,000 events.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { appendFacts, openProduct, runFact } from "./facts.mjs";
import { environment, NODE, PROGRAM, timed } from "./ground.mjs";
import { median, ms, whole } from "./numbers.mjs";
import { product } from "./product.mjs";
import { atMost, row } from "./report.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report } from "./report.mjs" */

const TODOS = 300;

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function rebuild(ground) {
  const tree = makeTree(join(ground.folder("rebuild"), "tree"), { goals: 1, runs: 10 });
  const events = ground.quick ? 10_000 : 100_000;
  const lib = await product();
  const { composed, workspace } = await openProduct(lib, tree);
  console.error(`Writing ${events} events …`);
  const factAt = (/** @type {number} */ at) => eventAt(lib, workspace, at);
  await appendFacts(lib, workspace, { goal: goalName(0), count: events, began: Date.UTC(2026, 0, 1), factAt });
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
 * @param {number} at
 * @returns {any}
 */
function eventAt(lib, workspace, at) {
  if (at === 0) return { type: "goal.opened", data: { registry: workspace.roots.registry_path } };
  if (at <= TODOS) return { type: "todo.added", data: { todo: todoAt(lib, at), source: "command" } };
  const todo_id = lib.parseTodoId(`todo_bench_${1 + (at % TODOS)}`);
  if (at % 10 < 3) {
    const fields = { status: at % 20 < 10 ? "done" : "open", text: `Move batch ${at} to the new format` };
    return { type: "todo.changed", data: { todo_id, fields, source: "file" } };
  }
  if (at % 10 === 3) return { type: "plan.next_action_set", data: { entries: [`Look at batch ${at}`], source: "file" } };
  return runFact(at);
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
