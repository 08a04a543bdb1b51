// Projects as the Python program leaves them: registry, a state file and a folder of runs for each goal.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const HOUR = 3_600_000;
/** The newest run of every tree: fixed, so that two trees differ in their size alone. */
const NEWEST_RUN = Date.UTC(2026, 9, 1, 12);
const CLASSES = ["state_refreshed", "run_validation", "state_refreshed", "quota_slot_spent", "state_refreshed"];
const STEPS = [
  "Implement the importer and cover it with a test.",
  "Run the validation suite and list the red cases.",
  "Split the migration so that it can be undone.",
  "Ask the owner which export format stays.",
];

/**
 * `todos`: open todos of agents in each goal beside those that every goal has; `slots`: what each may spend in a day (none: as it comes).
 * @typedef {{ readonly goals: number, readonly runs: number, readonly todos?: number, readonly slots?: number }} Size
 */

/**
 * A tree on disk, and where its parts are.
 * @typedef {Size & { readonly folder: string, readonly project: string, readonly runtime: string, readonly home: string,
 *   readonly rows: number, readonly bytes: number }} Tree
 */

/** @param {number} at */
export function goalName(at) {
  return `goal-${String(at).padStart(5, "0")}`;
}

/**
 * Writes the tree into `folder`, which must not exist. Only the last run of a goal has its pair of files: a reader has no
 * business with those of older runs, and three million files would measure the file system.
 * @param {string} folder
 * @param {Size} size
 * @returns {Tree}
 */
export function makeTree(folder, { goals, runs, todos = 0, slots }) {
  const tree = { folder, project: join(folder, "project"), runtime: join(folder, "runtime"), home: join(folder, "home") };
  mkdirSync(join(tree.project, ".loopx"), { recursive: true });
  mkdirSync(tree.home, { recursive: true });
  let bytes = 0;
  for (let at = 0; at < goals; at += 1) bytes += writeGoal(tree, goalName(at), { runs, todos });
  writeFileSync(join(tree.project, ".loopx/registry.json"), registryText(tree, goals, slots));
  return { ...tree, goals, runs, rows: goals * runs, bytes };
}

/**
 * @param {{ readonly project: string, readonly runtime: string }} tree
 * @param {string} goal
 * @param {{ readonly runs: number, readonly todos: number }} size
 */
function writeGoal(tree, goal, { runs, todos }) {
  const declared = join(tree.project, ".codex/goals", goal);
  mkdirSync(declared, { recursive: true });
  writeFileSync(join(declared, "ACTIVE_GOAL_STATE.md"), stateText(goal, todos));
  const folder = join(tree.runtime, "goals", goal, "runs");
  mkdirSync(folder, { recursive: true });
  const rows = Array.from({ length: runs }, (_, at) => rowOf(folder, goal, { at, runs }));
  const text = rows.map((row) => `${pythonJson(row)}\n`).join("");
  writeFileSync(join(folder, "index.jsonl"), text);
  const last = rows.at(-1);
  if (last !== undefined) {
    writeFileSync(last.json_path, `${JSON.stringify(last, null, 2)}\n`);
    writeFileSync(last.markdown_path, `# run ${last.generated_at}\n`);
  }
  return Buffer.byteLength(text);
}

/**
 * @param {string} folder
 * @param {string} goal
 * @param {{ readonly at: number, readonly runs: number }} place
 */
function rowOf(folder, goal, { at, runs }) {
  const generated_at = `${new Date(NEWEST_RUN - (runs - 1 - at) * HOUR).toISOString().slice(0, 19)}+00:00`;
  const stem = join(folder, generated_at.replaceAll(/[^0-9A-Za-z-]/g, "-"));
  return {
    generated_at,
    goal_id: goal,
    classification: at === runs - 1 ? "state_refreshed" : CLASSES[at % CLASSES.length],
    recommended_action: STEPS[at % STEPS.length],
    health_check: "state_file 1/1",
    json_path: `${stem}.json`,
    markdown_path: `${stem}.md`,
  };
}

/** @param {object} row */
function pythonJson(row) {
  return `{${Object.entries(row)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(", ")}}`;
}

/**
 * @param {string} goal
 * @param {number} [todos] beside those that every goal has
 */
export function stateText(goal, todos = 0) {
  const more = Array.from(
    { length: todos },
    (_, at) =>
      `- [ ] [P${at % 4}] Move batch ${at} of the records to the new format.\n  <!-- loopx:todo todo_id=todo_batch_${at} status=open task_class=advancement_task -->\n`,
  ).join("");
  return `---
goal_id: ${goal}
status: active
updated_at: "2026-10-01T12:00:00+00:00"
---
# ${goal}

## Objective

Move the records of ${goal} to the new format without losing one.

## User Todo / Owner Review Reading Queue

- [ ] [P2] Say which of the two export formats stays.
  <!-- loopx:todo todo_id=todo_format_0001 status=open task_class=user_action goal_bound=true -->

## Agent Todo

${more}- [ ] [P1] Implement the importer for nested records.
  <!-- loopx:todo todo_id=todo_import_0001 status=open task_class=advancement_task action_kind=implement -->
- [ ] [P2] Write down how a migration is undone.
  <!-- loopx:todo todo_id=todo_undo_0001 status=open task_class=advancement_task -->
- [ ] [P3] Take the old converter out.
- [x] [P1] Collect sample records.

## Next Action

- ${STEPS[0]}

## Recent User Feedback

- Keep the old format readable until spring.

## Progress Ledger

- 2026-09-28: samples collected.
- 2026-09-30: importer reads flat records.
`;
}

/**
 * @param {{ readonly project: string, readonly runtime: string }} tree
 * @param {number} goals
 * @param {number} [slots]
 */
function registryText({ project, runtime }, goals, slots) {
  const entry = (/** @type {string} */ id) => ({
    id,
    domain: "migration",
    status: "active",
    repo: project,
    state_file: `.codex/goals/${id}/ACTIVE_GOAL_STATE.md`,
    adapter: { kind: "generic_project_goal_v0", status: "connected" },
    ...(slots !== undefined && { quota: { allowed_slots: slots } }),
  });
  const registry = {
    schema_version: "0.1",
    updated_at: "2026-10-01T12:00:00+00:00",
    common_runtime_root: runtime,
    goals: Array.from({ length: goals }, (_, at) => entry(goalName(at))),
  };
  return `${JSON.stringify(registry, null, 2)}\n`;
}
