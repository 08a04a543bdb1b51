/** Recorded evidence as it is shown. */
import type { Evidence, GoalEvent } from "../events.ts";
import type { Problem } from "../result.ts";

export interface ShownEvidence {
  readonly seq: number;
  readonly at: string;
  readonly agent_id: string | null;
  readonly turn_id: string | null;
  readonly todo_id: string | null;
  readonly label: string;
  readonly argv: readonly string[];
  /** `reported`: somebody said so; it never counts as a check that passed. */
  readonly outcome: Evidence["outcome"];
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly tree_hash: string | null;
  readonly environment: string | null;
  readonly output: Evidence["output"];
  readonly cached: boolean;
  readonly note: string | null;
}

export interface EvidenceAddPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly added: boolean;
  readonly idempotent_replay: boolean;
  readonly dry_run: boolean;
  readonly evidence: ShownEvidence | null;
  /** Bytes of the output that were left out in its middle. */
  readonly dropped_bytes: number;
  readonly warnings: readonly Problem[];
}

export interface EvidenceListPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo_id: string | null;
  readonly evidence: readonly ShownEvidence[];
  readonly left_out: { readonly more: boolean; readonly cursor: string | null; readonly get: readonly string[] };
}

export interface EvidenceShowPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly evidence: ShownEvidence;
  /** Null: it was not asked for, or there is none. */
  readonly output_text: string | null;
  readonly problems: readonly Problem[];
}

export type EvidenceEvent = Extract<GoalEvent, { type: "evidence.recorded" }>;

export function isEvidence(event: GoalEvent): event is EvidenceEvent {
  return event.type === "evidence.recorded";
}

export function shownEvidence({ seq, at, agent_id, turn_id, data }: EvidenceEvent): ShownEvidence {
  const { todo_id = null, label, argv, outcome, exit_code, duration_ms, tree_hash, environment, output } = data;
  return {
    seq,
    at,
    agent_id: agent_id ?? null,
    turn_id: turn_id ?? null,
    todo_id,
    label,
    argv,
    outcome,
    exit_code,
    duration_ms,
    tree_hash,
    environment,
    output,
    cached: data.cached === true,
    note: data.note ?? null,
  };
}
