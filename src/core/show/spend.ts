/** What `quota spend-slot` answers. */
import { loopxCommand } from "../command-line.ts";
import type { Units } from "../events.ts";
import type { Problem } from "../result.ts";
import type { ShownQuota } from "./quota.ts";

export interface SpendFacts {
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string | null;
  readonly turn_instance_id: string | null;
  readonly units: Units;
  readonly outcome: "appended" | "preview" | "replayed";
  readonly before: ShownQuota | null;
  readonly after: ShownQuota | null;
  /** Of the event that spends. */
  readonly spent_seq: number | null;
  /** Of the written turn that it is for. */
  readonly written_seq: number | null;
  /** The question that the goal asks because this used up its window. */
  readonly gate: string | null;
  readonly warnings: readonly Problem[];
}

export interface SpendPayload {
  readonly ok: true;
  readonly mode: "spend-slot";
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string | null;
  readonly turn_instance_id: string | null;
  readonly dry_run: boolean;
  readonly slots: number;
  readonly units: Units;
  readonly appended: boolean;
  readonly idempotent_replay: boolean;
  readonly reason: string;
  readonly before: ShownQuota | null;
  readonly after: ShownQuota | null;
  readonly would_throttle: boolean;
  readonly spent_seq: number | null;
  readonly quota_gate: string | null;
  readonly settlement_result: {
    readonly ok: true;
    readonly receipts: readonly { readonly step_kind: string; readonly status: string; readonly seq: number | null }[];
    readonly failure: null;
  };
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export function spendPayload(facts: SpendFacts): SpendPayload {
  const { goal_id, agent_id, todo_id, turn_instance_id, units, outcome, before, after, spent_seq, gate, warnings } = facts;
  const preview = outcome === "preview";
  return {
    ok: true,
    mode: "spend-slot",
    goal_id,
    agent_id,
    todo_id,
    turn_instance_id,
    dry_run: preview,
    slots: units.slots,
    units,
    appended: outcome === "appended",
    idempotent_replay: outcome === "replayed",
    reason: reasonOf(facts),
    before,
    after,
    would_throttle: after !== null && after.state !== "eligible",
    spent_seq: preview ? null : spent_seq,
    quota_gate: preview ? null : gate,
    settlement_result: { ok: true, receipts: receiptsOf(facts), failure: null },
    then: thenOf({ goal_id, agent_id }),
    warnings,
  };
}

function reasonOf({ outcome, goal_id, before, after }: SpendFacts): string {
  if (outcome === "replayed") return "this turn was spent before: the same request again adds nothing";
  const step = `${goal_id} ${before?.spent_slots ?? 0}->${after?.spent_slots ?? 0} slots`;
  return outcome === "preview" ? `would spend: ${step}; --execute does it` : `spent: ${step}`;
}

function receiptsOf({ outcome, written_seq, spent_seq }: SpendFacts): SpendPayload["settlement_result"]["receipts"] {
  const status = outcome === "preview" ? "planned" : "committed";
  const written = { step_kind: "durable_writeback", status: "committed", seq: written_seq };
  const spend = { step_kind: "quota_spend", status, seq: outcome === "preview" ? null : spent_seq };
  return written_seq === null ? [spend] : [written, spend];
}

function thenOf({ goal_id, agent_id }: Pick<SpendFacts, "goal_id" | "agent_id">): readonly string[] {
  return [loopxCommand("next", "--goal-id", goal_id, ...(agent_id === null ? [] : ["--agent-id", agent_id]))];
}
