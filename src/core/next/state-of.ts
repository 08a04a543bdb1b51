/** What a decision rests on, put together from the registry entry, the journal's head and what the store found. */
import type { GoalHead, Lifecycle, Todos } from "../goal/head.ts";
import type { Instant } from "../instant.ts";
import { NOTHING_USED, type WindowUse } from "../quota/room.ts";
import type { DeclaredGoal } from "../registry/registry.ts";
import type { Problem } from "../result.ts";
import type { DecisionState, GoalFacts } from "./decision.ts";
import type { Frontier } from "./frontier.ts";
import { quotaState } from "./quota-state.ts";

export interface DecisionMaterial {
  readonly declared: DeclaredGoal;
  readonly head: GoalHead | null;
  readonly todos: Todos;
  readonly frontier: Frontier;
  readonly spend: WindowUse | null;
  readonly problem: Problem | null;
  readonly now: Instant;
}

export function decisionStateOf(material: DecisionMaterial): DecisionState {
  const { declared, head, todos, frontier, problem } = material;
  return {
    goal: factsOf(declared, head?.lifecycle ?? { kind: "active" }),
    head,
    todos,
    frontier,
    problem,
    quota: quotaOf(material),
  };
}

function factsOf(declared: DeclaredGoal, lifecycle: Lifecycle): GoalFacts {
  const { goal_id, registered_agents, monitor_only_agents, write_scope, activation } = declared;
  const away = lifecycle.kind === "archiving" || lifecycle.kind === "archived" || lifecycle.kind === "restoring";
  return {
    goal_id,
    registered_agents,
    monitor_only: monitor_only_agents,
    write_scope,
    activation: away ? "archived" : activation.state === "active" ? "active" : "stopped",
    activation_reason: activation.reason ?? "",
  };
}

function quotaOf({ declared, head, spend, now }: DecisionMaterial): DecisionState["quota"] {
  const { quota, goal_id } = declared;
  if (quota.kind === "invalid") {
    const message = quota.problems[0]?.message ?? `the quota of goal ${goal_id} cannot be understood`;
    return { kind: "invalid", problem: { code: "quota_invalid", message } };
  }
  const { settings } = quota;
  const state = quotaState(settings, { ...(spend ?? NOTHING_USED), leases: Object.values(head?.leases ?? {}), now });
  return { kind: "set", state, is_zero: settings.allowed_slots === 0, limits: settings.limits };
}
