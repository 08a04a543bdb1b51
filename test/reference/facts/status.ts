/** `status`: goals, latest runs, next actions, who must act, and what drifts. */
import { at, type Json, listAt, numberAt, textAt } from "../json.ts";
import { type Facts, type Reading, sorted } from "./facts.ts";

export const STATUS: Reading = {
  reference: ({ payload }) => referenceStatus(payload),
  ours: ({ payload }) => ourStatus(payload),
};

export function referenceStatus(payload: Json): Facts {
  if (at(payload, "run_history") === null) return {};
  const goals = listAt(payload, "run_history", "goals");
  const items = listAt(payload, "attention_queue", "items").filter((item) => !aboutTheProgram(item));
  return {
    registry: textAt(payload, "registry"),
    runtime_root: textAt(payload, "runtime_root"),
    goal_count: numberAt(payload, "goal_count"),
    run_count: numberAt(payload, "run_count"),
    goals: sorted(goals.map((goal) => textAt(goal, "id") ?? "")),
    attention: sorted(items.map((item) => textAt(item, "goal_id") ?? "")),
    ...Object.assign({}, ...goals.map(referenceGoal)),
    ...Object.assign({}, ...items.map(referenceItem)),
  };
}

function aboutTheProgram(item: Json): boolean {
  return (textAt(item, "goal_id") ?? "").startsWith("loopx-");
}

function referenceGoal(goal: Json): Facts {
  const under = `goals.${textAt(goal, "id")}`;
  return {
    [`${under}.run_count`]: numberAt(goal, "unique_runs"),
    [`${under}.activation`]: textAt(goal, "activation_state"),
    [`${under}.registered`]: at(goal, "registry_member"),
    [`${under}.latest_run`]: runFact(at(goal, "latest_status_run")),
  };
}

/** Facts that the reference tells only of goals in its queue. */
function referenceItem(item: Json): Facts {
  const id = textAt(item, "goal_id");
  const next = textAt(item, "active_state_next_action");
  const user = numberAt(item, "user_todos", "open_count");
  const agent = numberAt(item, "agent_todos", "open_count");
  return {
    [`attention.${id}.waiting_on`]: textAt(item, "waiting_on"),
    [`attention.${id}.severity`]: textAt(item, "severity"),
    [`goals.${id}.drift`]: sorted(referenceDrift(item)),
    ...(next !== null && { [`goals.${id}.next_action`]: next }),
    ...(user !== null && agent !== null && { [`goals.${id}.todos`]: { open: user + agent, waiting_for_person: user } }),
  };
}

const GAPS: Readonly<Record<string, string>> = {
  next_action_executable_without_agent_todo: "next_action_without_todo",
  next_action_waits_without_user_todo: "waiting_without_user_todo",
};

const HIDDEN = "hidden_backlog_without_agent_todo";

function referenceDrift(item: Json): readonly string[] {
  const mismatch = at(item, "next_action_projection_warning") === null ? [] : ["next_action_projection_mismatch"];
  const stale = at(item, "stale_latest_run_warning") === null ? [] : ["stale_latest_run"];
  const gaps = listAt(item, "state_projection_gap", "first_evidence").map((found) => GAPS[textAt(found, "kind") ?? ""] ?? "?");
  const hidden = textAt(item, "backlog_hygiene_warning", "kind") === HIDDEN ? ["next_action_without_todo"] : [];
  return [...new Set([...mismatch, ...stale, ...gaps, ...hidden])];
}

/** The kinds that the reference has a word for. */
const COMPARED = new Set(["next_action_projection_mismatch", "next_action_without_todo", "waiting_without_user_todo"]);

export function ourStatus(payload: Json): Facts {
  const goals = listAt(payload, "goals");
  const items = listAt(payload, "attention_queue");
  return {
    registry: textAt(payload, "registry"),
    runtime_root: textAt(payload, "runtime_root"),
    goal_count: numberAt(payload, "goal_count"),
    run_count: numberAt(payload, "run_count"),
    goals: sorted(goals.map((goal) => textAt(goal, "goal_id") ?? "")),
    attention: sorted(items.map((item) => textAt(item, "goal_id") ?? "")),
    ...Object.assign({}, ...goals.map(ourGoal)),
    ...Object.assign({}, ...items.map(ourItem)),
  };
}

function ourGoal(goal: Json): Facts {
  const under = `goals.${textAt(goal, "goal_id")}`;
  const kinds = listAt(goal, "drift").map((entry) => textAt(entry, "kind") ?? "");
  return {
    [`${under}.run_count`]: numberAt(goal, "run_count"),
    [`${under}.activation`]: textAt(goal, "activation"),
    [`${under}.registered`]: at(goal, "registered"),
    [`${under}.latest_run`]: runFact(at(goal, "latest_run")),
    [`${under}.drift`]: sorted(kinds.filter((kind) => COMPARED.has(kind))),
    [`${under}.next_action`]: textAt(goal, "next_action"),
    [`${under}.todos`]: {
      open: numberAt(goal, "todos", "open"),
      waiting_for_person: numberAt(goal, "todos", "waiting_for_person"),
    },
  };
}

function ourItem(item: Json): Facts {
  const under = `attention.${textAt(item, "goal_id")}`;
  return { [`${under}.waiting_on`]: textAt(item, "waiting_on"), [`${under}.severity`]: textAt(item, "severity") };
}

function runFact(run: Json): Json {
  if (run === null) return null;
  return [textAt(run, "generated_at"), textAt(run, "classification"), textAt(run, "recommended_action")];
}
