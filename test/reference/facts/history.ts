/** `history`: counts, goals, and the runs with their order. */
import { at, type Json, listAt, numberAt, textAt } from "../json.ts";
import { type Facts, type Reading, sorted } from "./facts.ts";

export const HISTORY: Reading = {
  reference: ({ payload }) => historyFacts(payload),
  ours: ({ payload }) => historyFacts(payload),
};

/** Both programs have the same names here. */
function historyFacts(payload: Json): Facts {
  if (at(payload, "runs") === null) return {};
  const goals = listAt(payload, "goals");
  return {
    registry: textAt(payload, "registry"),
    runtime_root: textAt(payload, "runtime_root"),
    goal_filter: textAt(payload, "goal_filter"),
    goal_count: numberAt(payload, "goal_count"),
    run_count: numberAt(payload, "run_count"),
    goals: sorted(goals.map((goal) => textAt(goal, "id") ?? "")),
    runs: listAt(payload, "runs").map(runLine),
    ...Object.assign({}, ...goals.map(goalFacts)),
  };
}

function goalFacts(goal: Json): Facts {
  const told = ["activation_state", "status", "registry_member", "legacy_runtime_goal", "raw_index_records", "unique_runs"];
  return Object.fromEntries(told.map((key) => [`goals.${textAt(goal, "id")}.${key}`, at(goal, key)]));
}

function runLine(run: Json): string {
  const told = ["goal_id", "generated_at", "classification", "recommended_action", "json_exists", "markdown_exists"];
  const reward = textAt(run, "human_reward", "decision");
  return [...told.map((key) => String(at(run, key))), ...(reward === null ? [] : [`reward ${reward}`])].join(" | ");
}
