/**
 * From the request to record a run to the run that is recorded, or why it may not be (data-plane 6).
 *
 * Does not own: whether the goal takes runs at all (`handle.ts`) and how the texts got here.
 *
 * N1  Who acts is explicit: an agent of the goal, and named as soon as the goal has more than one.
 * N2  An agent's lane never moves the goal's Next Action.
 * N3  Texts that would put a credential into files that people share are refused, naming the field and not the text.
 * N4  The recommended action is what was said, else Next Action, else the first open agent todo, else a constant.
 */
import type { RunFacts, RunState } from "../events.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import { parseAgentId, parseTodoId, parseTurnId } from "../id.ts";
import { type BadInput, done, type Problem, type Refusal, type Reply, refuse, reject } from "../result.ts";
import { quote } from "./handle.ts";
import { secretFlaw } from "./secret.ts";

export const DELIVERY_OUTCOMES = ["surface_only", "outcome_gap", "outcome_progress", "primary_goal_outcome"] as const;
export const DELIVERY_BATCH_SCALES = ["test_only", "single_surface", "multi_surface", "implementation"] as const;
export const PROGRESS_SCOPES = ["goal", "agent_lane"] as const;
export const DEFAULT_CLASSIFICATION = "state_refreshed";
const DEFAULT_ACTION = "inspect refreshed active goal state and continue the next bounded progress segment";
const CLASSIFICATION = /^[a-z][a-z0-9_.:-]{0,79}$/;

/** As it was asked, nothing checked yet. */
export interface RunRequest {
  readonly goal_id: string;
  readonly classification?: string;
  readonly recommended_action?: string;
  readonly next_action?: string;
  readonly agent_id?: string;
  readonly agent_lane?: string;
  readonly progress_scope?: string;
  readonly delivery_outcome?: string;
  readonly delivery_batch_scale?: string;
  readonly todo_id?: string;
  readonly turn_instance_id?: string;
}

/** Checked, and free of anything that depends on the goal's state. */
export interface RunIntent {
  readonly classification: string;
  readonly recommended_action: string | null;
  readonly next_action: string | null;
  readonly agent_id: AgentId | null;
  readonly agent_lane: string | null;
  readonly progress_scope: "goal" | "agent_lane";
  readonly delivery_outcome: string | null;
  readonly delivery_batch_scale: string | null;
  readonly todo_id: TodoId | null;
  readonly turn_instance_id: TurnId | null;
}

/** N1, N2, N3. */
export function intentOf(request: RunRequest, registered: readonly AgentId[]): Reply<RunIntent> {
  const problems: Problem[] = [];
  const intent: RunIntent = {
    classification: matching(problems, "--classification", request.classification ?? DEFAULT_CLASSIFICATION, CLASSIFICATION),
    recommended_action: actionText(problems, "--recommended-action", request.recommended_action),
    next_action: actionText(problems, "--next-action", request.next_action),
    agent_id: parsed(problems, "--agent-id", request.agent_id, parseAgentId),
    agent_lane: request.agent_lane === undefined ? null : matching(problems, "--agent-lane", request.agent_lane, CLASSIFICATION),
    progress_scope: scopeOf(request),
    delivery_outcome: oneOf(problems, "--delivery-outcome", request.delivery_outcome, DELIVERY_OUTCOMES),
    delivery_batch_scale: oneOf(problems, "--delivery-batch-scale", request.delivery_batch_scale, DELIVERY_BATCH_SCALES),
    todo_id: parsed(problems, "--todo-id", request.todo_id, parseTodoId),
    turn_instance_id: parsed(problems, "--turn-instance-id", request.turn_instance_id, parseTurnId),
  };
  oneOf(problems, "--progress-scope", request.progress_scope, PROGRESS_SCOPES);
  const first = problems[0];
  if (first !== undefined) return reject(first.code, `${first.path ?? ""} ${first.message}`, { problems });
  return agentRules(request, intent, registered) ?? done(intent);
}

/** N4. */
export function runFactsOf(
  intent: RunIntent,
  known: { readonly state: RunState | null; readonly health_check: string; readonly first_open_todo: string | null },
): RunFacts {
  const action = recommended(intent, known);
  return {
    classification: intent.classification,
    recommended_action: action.text,
    recommended_action_source: action.source,
    health_check: known.health_check,
    progress_scope: intent.progress_scope,
    ...present("agent_lane", intent.agent_lane),
    ...present("delivery_outcome", intent.delivery_outcome),
    ...present("delivery_batch_scale", intent.delivery_batch_scale),
    ...present("todo_id", intent.todo_id),
    ...present("turn_instance_id", intent.turn_instance_id),
    state: known.state,
  };
}

function recommended(
  intent: RunIntent,
  known: { readonly state: RunState | null; readonly first_open_todo: string | null },
): { readonly text: string; readonly source: string } {
  if (intent.recommended_action !== null) return { text: intent.recommended_action, source: "explicit_arg" };
  const next = intent.next_action ?? known.state?.next_action[0];
  if (next !== undefined) return { text: next, source: "active_state_next_action" };
  if (known.first_open_todo !== null) return { text: known.first_open_todo, source: "agent_todo_fallback" };
  return { text: DEFAULT_ACTION, source: "default_refresh_action" };
}

function present<K extends string, V>(key: K, value: V | null): { readonly [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

function scopeOf(request: RunRequest): "goal" | "agent_lane" {
  if (request.progress_scope === "goal" || request.progress_scope === "agent_lane") return request.progress_scope;
  return request.agent_id === undefined ? "goal" : "agent_lane";
}

function agentRules(request: RunRequest, intent: RunIntent, registered: readonly AgentId[]): Refusal | BadInput | null {
  const goal = quote(request.goal_id);
  if (intent.agent_id === null && registered.length > 1) {
    return reject("agent_required", `Goal ${request.goal_id} has ${registered.length} agents: say which one acts.`, {
      near: registered,
      fix: `loopx refresh --goal-id ${goal} --agent-id ${registered[0] ?? ""}`,
    }); // (N1)
  }
  if (intent.agent_id !== null && registered.length > 0 && !registered.includes(intent.agent_id)) {
    return refuse("unknown_agent", `${intent.agent_id} is not an agent of goal ${request.goal_id}.`, {
      details: { registered_agents: registered },
      fix: `loopx refresh --goal-id ${goal} --agent-id ${registered[0] ?? ""}`,
    }); // (N1)
  }
  if (intent.agent_lane !== null && (intent.agent_id === null || intent.progress_scope !== "agent_lane")) {
    return reject("agent_lane_without_agent", "--agent-lane needs --agent-id and the scope agent_lane.", {
      fix: `loopx refresh --goal-id ${goal} --agent-id AGENT --agent-lane ${intent.agent_lane}`,
    });
  }
  if (intent.next_action !== null && intent.progress_scope === "agent_lane") {
    return refuse("lane_sets_next_action", "A run of an agent's lane does not change the goal's Next Action.", {
      fix: `loopx refresh --goal-id ${goal} --agent-id ${intent.agent_id ?? ""} --progress-scope goal --next-action ${quote(intent.next_action)}`,
    }); // (N2)
  }
  return null;
}

function actionText(problems: Problem[], option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const whole = text.replace(/\s+/g, " ").trim();
  if (whole === "") problems.push({ path: option, code: "text_empty", message: "must not be empty" });
  const secret = secretFlaw(whole);
  if (secret !== null) problems.push({ path: option, code: "text_holds_secret", message: secret }); // (N3)
  return whole;
}

function matching(problems: Problem[], option: string, text: string, pattern: RegExp): string {
  if (!pattern.test(text)) {
    problems.push({ path: option, code: "name_invalid", message: "must be 1 to 80 of a-z 0-9 _ . : - and start with a letter" });
  }
  return text;
}

function oneOf(problems: Problem[], option: string, text: string | undefined, allowed: readonly string[]): string | null {
  if (text === undefined) return null;
  if (!allowed.includes(text))
    problems.push({ path: option, code: "value_unknown", message: `must be one of ${allowed.join(", ")}` });
  return text;
}

function parsed<T>(problems: Problem[], option: string, text: string | undefined, parse: (text: string) => T | null): T | null {
  if (text === undefined) return null;
  const value = parse(text);
  if (value === null) problems.push({ path: option, code: "id_invalid", message: "is not an id of that kind" });
  return value;
}
