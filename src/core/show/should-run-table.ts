/**
 * What each answer of the decision is called in the reference's `quota should-run` (decision-plane 5.1, 6, 13.6): a row a rule.
 *
 * Does not own: the decision; nothing here decides.
 *
 * R1  Every `why` has one row, and its `act` is the one its rule gives.
 * R2  The words of a row do not contradict each other: the agent must attempt something exactly where `should_run` is true.
 */
import type { Act, Why } from "../next/decision.ts";

export interface ShouldRunRow {
  readonly act: Act;
  readonly decision: string;
  readonly should_run: boolean;
  readonly effective_action: string;
  readonly mode: string;
  /** The state of the goal's quota (decision-plane 4.2). */
  readonly state: GoalQuotaState;
  readonly delivery_allowed: boolean;
  readonly action: string;
  readonly cadence_class: string;
}

/** In the order of `quota status` and `quota plan`. */
export const QUOTA_STATES = [
  "blocked_health",
  "operator_gate",
  "focus_wait",
  "eligible",
  "waiting",
  "throttled",
  "paused",
  "terminal_no_followup",
] as const;

export type GoalQuotaState = (typeof QUOTA_STATES)[number];

const RUN = { should_run: true, action: "run_now", cadence_class: "active_work" } as const;
const REST = { should_run: false, delivery_allowed: false } as const;
const STOP = { ...REST, action: "stop_until_explicit_resume" } as const;
const FOR_USER = { ...REST, action: "backoff_waiting_for_user", cadence_class: "human_gate" } as const;
const DELIVERY = {
  ...RUN,
  decision: "run",
  effective_action: "normal_run",
  mode: "bounded_delivery",
  state: "eligible",
  delivery_allowed: true,
} as const;
const REPLAN = {
  ...RUN,
  act: "replan",
  decision: "autonomous_replan_required",
  effective_action: "autonomous_replan_required",
  mode: "autonomous_replan",
  state: "eligible",
  delivery_allowed: true,
} as const;
const REPAIR = {
  ...RUN,
  act: "repair",
  decision: "self_repair",
  mode: "control_plane_self_repair",
  delivery_allowed: false,
} as const;
const PAUSED = {
  ...STOP,
  act: "stop",
  decision: "skip",
  effective_action: "quota_skip",
  mode: "skip",
  state: "paused",
  cadence_class: "quota_paused",
} as const;

/** (R1, R2) */
export const SHOULD_RUN: Readonly<Record<Why, ShouldRunRow>> = {
  state_unreadable: { ...REPAIR, effective_action: "control_plane_health_repair", state: "blocked_health" },
  quota_invalid: { ...REPAIR, effective_action: "control_plane_repair", state: "blocked_health" },
  stopped: { ...PAUSED, cadence_class: "goal_stopped" },
  archived: { ...PAUSED, cadence_class: "goal_stopped" },
  paused: PAUSED,
  rate_limited: {
    ...REST,
    act: "wait",
    decision: "skip",
    effective_action: "blocked_wait",
    mode: "blocked_wait",
    state: "waiting",
    action: "backoff_until_state_change",
    cadence_class: "quiet_wait",
  },
  throttled: {
    ...REST,
    act: "wait",
    decision: "skip",
    effective_action: "throttled_skip",
    mode: "quota_throttled",
    state: "throttled",
    action: "backoff_until_state_change",
    cadence_class: "quiet_wait",
  },
  stalled: REPLAN,
  continue: { ...DELIVERY, act: "run" },
  monitor_due: { ...DELIVERY, act: "poll" },
  monitor_only: {
    ...REST,
    act: "wait",
    decision: "skip",
    effective_action: "agent_monitor_only",
    mode: "agent_monitor_only",
    state: "waiting",
    action: "backoff_agent_monitor_only",
    cadence_class: "agent_monitor_only",
  },
  workspace: {
    ...REPAIR,
    decision: "workspace_guard",
    effective_action: "agent_workspace_repair",
    mode: "agent_workspace_repair",
    state: "eligible",
  },
  scope: {
    ...REPAIR,
    effective_action: "boundary_projection_repair",
    mode: "boundary_projection_repair",
    state: "eligible",
  },
  work: { ...DELIVERY, act: "run" },
  gap: REPLAN,
  woke: { ...DELIVERY, act: "run" },
  capability: {
    ...REPAIR,
    decision: "repair_bridge",
    effective_action: "capability_bridge_repair",
    mode: "capability_bridge_repair",
    state: "eligible",
  },
  gate: {
    ...FOR_USER,
    act: "ask",
    decision: "skip",
    effective_action: "operator_gate_notify",
    mode: "user_gate",
    state: "operator_gate",
  },
  owner_capability: {
    ...FOR_USER,
    act: "ask",
    decision: "skip",
    effective_action: "quota_skip",
    mode: "user_action_required",
    state: "operator_gate",
  },
  user_action: {
    ...FOR_USER,
    act: "ask",
    decision: "skip",
    effective_action: "operator_gate_notify",
    mode: "user_action_required",
    state: "operator_gate",
  },
  peers_own: {
    ...REST,
    act: "wait",
    decision: "reassignment_required",
    effective_action: "reassignment_required",
    mode: "reassignment_required",
    state: "waiting",
    action: "backoff_until_reassigned",
    cadence_class: "agent_scope_wait",
  },
  waiting_on: {
    ...REST,
    act: "wait",
    decision: "agent_scope_wait",
    effective_action: "agent_scope_wait",
    mode: "agent_scope_wait",
    state: "waiting",
    action: "backoff_until_reassigned",
    cadence_class: "agent_scope_wait",
  },
  next_due: {
    ...REST,
    act: "wait",
    decision: "skip",
    effective_action: "monitor_quiet_skip",
    mode: "monitor_quiet_skip",
    state: "waiting",
    action: "backoff_until_material_transition",
    cadence_class: "monitor_wait",
  },
  complete: {
    ...STOP,
    act: "stop",
    decision: "skip",
    effective_action: "terminal_no_followup",
    mode: "terminal_no_followup",
    state: "terminal_no_followup",
    cadence_class: "terminal_no_followup",
  },
  empty: REPLAN,
};
