/**
 * A decision in the fields of the reference's `quota should-run` (decision-plane 5.3, 13.6), whole or as its turn envelope.
 *
 * Does not own: the decision, and what its answers are called there (`should-run-table.ts`).
 *
 * V1  At most 8 KiB, whatever the goal says.
 * V2  The todo that is told is one that may be worked on now: none where the answer is to wait or to ask.
 * V3  Where work goes on beside an open question, the answer says both, and none of its fields says that work must wait.
 */
import type { TodoRecord, Units } from "../events.ts";
import type { Explanation } from "../next/explain.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";
import { sha1Hex } from "../sha1.ts";
import { type Cutter, cutter } from "./cutter.ts";
import type { DecisionPayload } from "./decision.ts";
import { printedBytes } from "./print-json.ts";
import { SHOULD_RUN, type ShouldRunRow } from "./should-run-table.ts";

export const COMPAT_BYTES = 8192;

export interface ShouldRunFacts {
  /** As `next` answers it. */
  readonly answer: DecisionPayload;
  /** The todo of the answer as it stands; null where it has none. */
  readonly todo: TodoRecord | null;
  /** Null where they cannot be understood. */
  readonly settings: QuotaSettings | null;
  readonly spent: Units;
  readonly write_scope: readonly string[];
  /** Told with `--include-detail`. */
  readonly explanation: Explanation | null;
  readonly runtime_profile: string | null;
  readonly turn_instance_id: string | null;
}

export interface ShouldRunPayload {
  readonly ok: true;
  readonly mode: "should-run";
  readonly goal_id: string | null;
  readonly agent_id: string | null;
  readonly decision: string;
  readonly should_run: boolean;
  readonly effective_action: string;
  readonly state: string;
  readonly reason: string;
  readonly requires_user_action: boolean;
  readonly act: string;
  readonly why: string;
  readonly selected_todo: SelectedTodo | null;
  readonly interaction_contract: InteractionContract;
  readonly scheduler_hint: SchedulerHint;
  readonly quota: ShownCompatQuota;
  readonly goal_boundary: { readonly write_scope: readonly string[]; readonly rule: string };
  readonly action_signature: string;
  readonly runtime_profile?: string;
  readonly turn_instance_id?: string;
  readonly detail?: { readonly rule: string; readonly passed: readonly string[]; readonly facts: readonly string[] };
}

interface SelectedTodo {
  readonly todo_id: string;
  readonly text: string;
  readonly priority: string | null;
  readonly status: string;
  readonly task_class: string | null;
  readonly action_kind: string | null;
  readonly claimed_by: string | null;
  readonly selected_by: string;
}

interface InteractionContract {
  readonly mode: string;
  readonly user_channel: {
    readonly action_required: boolean;
    readonly notify: "NOTIFY" | "DONT_NOTIFY";
    readonly actions: readonly string[];
    readonly reason: string | null;
  };
  readonly agent_channel: {
    readonly must_attempt: boolean;
    readonly delivery_allowed: boolean;
    readonly quiet_noop_allowed: boolean;
    readonly primary_action: string;
  };
  readonly cli_channel: {
    readonly next_cli_actions: readonly string[];
    readonly spend_allowed_now: false;
    readonly spend_after_validation: boolean;
    readonly spend_policy: string;
  };
}

interface SchedulerHint {
  readonly action: string;
  readonly cadence_class: string;
  readonly reason_code: string;
  readonly minutes: number | null;
  readonly until: string | null;
  readonly reset_policy: { readonly reset_token: string };
}

interface ShownCompatQuota {
  readonly compute: number | null;
  readonly window_hours: number | null;
  readonly slot_minutes: number | null;
  readonly allowed_slots: number | null;
  readonly spent_slots: number;
  readonly reserved: number;
  readonly next_eligible_at: string | null;
  readonly state: string;
}

const LIMITS = [600, 300, 160, 80, 40];

/** (V1) */
export function shouldRunPayload(facts: ShouldRunFacts): ShouldRunPayload {
  let payload = rendered(facts, cutter(1200));
  for (const limit of LIMITS) {
    if (printedBytes(payload) <= COMPAT_BYTES) return payload;
    payload = rendered(facts, cutter(limit));
  }
  return payload;
}

function rendered(facts: ShouldRunFacts, cut: Cutter): ShouldRunPayload {
  const { answer, write_scope, explanation, runtime_profile, turn_instance_id } = facts;
  const row = rowFor(answer);
  const selected_todo = selected(facts, row, cut);
  const contract = contractOf(facts, { row, cut });
  return {
    ok: true,
    mode: "should-run",
    goal_id: answer.goal_id,
    agent_id: answer.agent_id,
    decision: row.decision,
    should_run: row.should_run,
    effective_action: row.effective_action,
    state: row.state,
    reason: cut.text(answer.because),
    requires_user_action: contract.user_channel.action_required,
    act: answer.act,
    why: answer.why,
    selected_todo,
    interaction_contract: contract,
    scheduler_hint: schedulerHint(answer, row),
    quota: quotaOf(facts, row),
    goal_boundary: { write_scope: write_scope.slice(0, 16).map((scope) => cut.text(scope)), rule: "stay_in_scope_or_stop" },
    action_signature: signatureOf(row, selected_todo?.todo_id ?? null),
    ...(runtime_profile !== null && { runtime_profile: cut.text(runtime_profile) }),
    ...(turn_instance_id !== null && { turn_instance_id }),
    ...(explanation !== null && { detail: detailOf(explanation, cut) }),
  };
}

/** (V3) */
function rowFor({ why, act, tell }: DecisionPayload): ShouldRunRow {
  const row = SHOULD_RUN[why as keyof typeof SHOULD_RUN];
  if (act !== "run" || tell === null) return row;
  const isQuestion = tell.commands.some((command) => command.startsWith("loopx gate "));
  if (!isQuestion) return { ...row, mode: "bounded_delivery_with_user_notice" };
  const fallback = "scoped_user_gate_fallback";
  return { ...row, decision: "safe_bypass_user_gate_fallback", effective_action: fallback, mode: fallback };
}

/** (V2) */
function selected({ answer, todo }: ShouldRunFacts, row: ShouldRunRow, cut: Cutter): SelectedTodo | null {
  if (answer.todo === null || !row.should_run || answer.why === "gap") return null;
  const { todo_id, text, priority, task_class, claimed_by } = answer.todo;
  const own = claimed_by !== null && claimed_by === answer.agent_id;
  return {
    todo_id,
    text: cut.text(text),
    priority: priority === null ? null : `P${priority}`,
    status: todo?.status ?? "open",
    task_class,
    action_kind: cut.textOrNull(todo?.metadata["action_kind"] ?? null),
    claimed_by,
    selected_by: own ? "current_agent_claimed_todo" : "first_doable_todo",
  };
}

function contractOf(
  { answer }: ShouldRunFacts,
  { row, cut }: { readonly row: ShouldRunRow; readonly cut: Cutter },
): InteractionContract {
  const { act, tell, because, then } = answer;
  const asks = act === "ask";
  const told = tell === null ? (asks ? [because] : []) : [tell.text];
  const action_required = asks || tell !== null;
  const spends = row.should_run && row.delivery_allowed;
  return {
    mode: row.mode,
    user_channel: {
      action_required,
      notify: action_required ? "NOTIFY" : "DONT_NOTIFY",
      actions: told.map((text) => cut.text(text)),
      reason: action_required ? cut.text(because) : null,
    },
    agent_channel: {
      must_attempt: row.should_run,
      delivery_allowed: row.delivery_allowed,
      quiet_noop_allowed: !row.should_run && !asks,
      primary_action: primaryAction(answer, row, cut),
    },
    cli_channel: {
      next_cli_actions: then,
      spend_allowed_now: false,
      spend_after_validation: spends,
      spend_policy: spends ? "spent by the command that finishes the turn" : "no spend without a written turn",
    },
  };
}

function primaryAction({ act, todo, because }: DecisionPayload, { should_run }: ShouldRunRow, cut: Cutter): string {
  if (should_run && todo !== null) return `${todo.todo_id}: ${cut.text(todo.text)}`;
  if (should_run) return cut.text(because);
  return act === "ask" ? "tell the person and wait for the answer" : "do no work on this goal in this turn";
}

function schedulerHint({ why, token, wait }: DecisionPayload, { action, cadence_class }: ShouldRunRow): SchedulerHint {
  const minutes = wait?.minutes ?? (action === "run_now" ? ACTIVE_MINUTES : null);
  const until = wait?.until ?? null;
  return { action, cadence_class, reason_code: why, minutes, until, reset_policy: { reset_token: token } };
}

/** Between two turns of a goal that has work (decision-plane 6). */
const ACTIVE_MINUTES = 3;

function quotaOf({ answer, settings, spent }: ShouldRunFacts, { state }: ShouldRunRow): ShownCompatQuota {
  return {
    compute: settings?.compute ?? null,
    window_hours: settings?.window_hours ?? null,
    slot_minutes: settings?.slot_minutes ?? null,
    allowed_slots: settings?.allowed_slots ?? null,
    spent_slots: spent.slots,
    reserved: answer.quota?.reserved ?? 0,
    next_eligible_at: answer.quota?.next_eligible_at ?? null,
    state,
  };
}

/** Equal in the whole answer and in its envelope. */
function signatureOf({ decision, effective_action, mode, action }: ShouldRunRow, todoId: string | null): string {
  return sha1Hex([decision, effective_action, mode, action, todoId ?? ""].join("\n")).slice(0, 16);
}

function detailOf({ rule, passed, facts }: Explanation, cut: Cutter): NonNullable<ShouldRunPayload["detail"]> {
  return { rule, passed, facts: facts.slice(0, 8).map(({ about, says }) => `${about}: ${cut.text(says)}`) };
}

export interface TurnEnvelope
  extends Pick<
    ShouldRunPayload,
    | "ok"
    | "mode"
    | "goal_id"
    | "agent_id"
    | "decision"
    | "should_run"
    | "effective_action"
    | "state"
    | "reason"
    | "action_signature"
  > {
  readonly schema_version: "loopx_turn_envelope_v0";
  readonly view: "turn_envelope";
  readonly action: InteractionContract["agent_channel"] & { readonly selected_todo: SelectedTodo | null };
  readonly user: InteractionContract["user_channel"];
  readonly boundary: ShouldRunPayload["goal_boundary"];
  readonly writeback: InteractionContract["cli_channel"];
  readonly scheduler: SchedulerHint;
  readonly contract_capsule: { readonly interaction_contract: { readonly mode: string } };
}

export function turnEnvelope(answer: ShouldRunPayload): TurnEnvelope {
  const { interaction_contract: contract, selected_todo, goal_boundary, scheduler_hint, action_signature } = answer;
  const { goal_id, agent_id, decision, should_run, effective_action, state, reason } = answer;
  return {
    ok: true,
    schema_version: "loopx_turn_envelope_v0",
    mode: "should-run",
    view: "turn_envelope",
    goal_id,
    agent_id,
    reason,
    decision,
    should_run,
    effective_action,
    state,
    action: { ...contract.agent_channel, selected_todo },
    user: contract.user_channel,
    boundary: goal_boundary,
    writeback: contract.cli_channel,
    scheduler: scheduler_hint,
    contract_capsule: { interaction_contract: { mode: contract.mode } },
    action_signature,
  };
}
