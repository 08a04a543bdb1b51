/**
 * The reference's `evidence-log`: what one agent did on a goal, newest first, its events and the runs that others recorded of it.
 *
 * Does not own: finding them (`commands/evidence-log.ts`).
 *
 * L1  At most 8 KiB: what does not fit is counted as left out.
 */
import type { GoalEvent } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { RunSummary } from "../runs/run.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { printedBytes } from "./print-json.ts";
import { COMPAT_BYTES } from "./should-run.ts";

export interface LedgerRow {
  readonly at: string | null;
  readonly kind: string;
  /** Of the journal; null for a run that another program recorded. */
  readonly seq: number | null;
  readonly todo_id: string | null;
  readonly turn_instance_id: string | null;
  readonly says?: string;
}

export interface EvidenceLogPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly thin: boolean;
  readonly matched_count: number;
  readonly ledger: readonly LedgerRow[];
  readonly truncated: boolean;
  /** `--since` of the next page. */
  readonly oldest_at: string | null;
}

export function ledgerRowOfEvent(event: GoalEvent): LedgerRow {
  const data = event.data as { readonly todo_id?: string | null; readonly turn_id?: string; readonly turn_instance_id?: string };
  return {
    at: event.at,
    kind: event.type,
    seq: event.seq,
    todo_id: data.todo_id ?? null,
    turn_instance_id: event.turn_id ?? data.turn_id ?? data.turn_instance_id ?? null,
    says: wordsOf(event),
  };
}

export function ledgerRowOfRun({ generated_at, at, classification, recommended_action, ...run }: RunSummary): LedgerRow {
  return {
    at: at ?? generated_at,
    kind: classification === "" ? "run" : classification,
    seq: null,
    todo_id: run.todo_id ?? null,
    turn_instance_id: run.turn_instance_id ?? null,
    says: recommended_action,
  };
}

function wordsOf(event: GoalEvent): string {
  switch (event.type) {
    case "evidence.recorded":
      return `${event.data.label}: ${event.data.outcome}`;
    case "turn.written":
      return `${event.data.outcome}: ${event.data.summary}`;
    case "turn.decided":
      return `${event.data.act} (${event.data.why})`;
    case "turn.spent":
      return `${event.data.units.slots} slots`;
    case "todo.closed":
      return event.data.outcome;
    case "gate.decided":
      return `${event.data.outcome}: ${event.data.reason}`;
    case "run.recorded":
      return `${event.data.classification}: ${event.data.recommended_action}`;
    case "lease.taken":
    case "lease.moved":
      return `number ${event.data.epoch} until ${event.data.expires_at}`;
    default:
      return "";
  }
}

export interface Ledger {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly thin: boolean;
  /** Newest first. */
  readonly rows: readonly LedgerRow[];
  readonly matched_count: number;
  /** Is there more that was not looked at? */
  readonly more: boolean;
}

const LIMITS = [300, 120, 60];

/** (L1) */
export function evidenceLogPayload(ledger: Ledger): EvidenceLogPayload {
  for (const limit of LIMITS) {
    const whole = rendered(ledger, ledger.rows.length, cutter(limit));
    if (printedBytes(whole) <= COMPAT_BYTES) return whole;
  }
  let count = ledger.rows.length;
  let payload = rendered(ledger, count, cutter(60));
  while (count > 1 && printedBytes(payload) > COMPAT_BYTES) {
    count = Math.max(1, Math.floor(count * 0.8));
    payload = rendered(ledger, count, cutter(60));
  }
  return payload;
}

function rendered(
  { goal_id, agent_id, thin, rows, matched_count, more }: Ledger,
  count: number,
  cut: Cutter,
): EvidenceLogPayload {
  const ledger = rows.slice(0, count).map((row) => shownRow(row, thin, cut));
  return {
    ok: true,
    goal_id,
    agent_id,
    thin,
    matched_count,
    ledger,
    truncated: more || count < rows.length,
    oldest_at: ledger.at(-1)?.at ?? null,
  };
}

function shownRow({ says, ...row }: LedgerRow, thin: boolean, cut: Cutter): LedgerRow {
  return thin || says === undefined || says === "" ? row : { ...row, says: cut.text(says) };
}

/** Newest first; of one instant the later event first. */
export function compareLedger(a: LedgerRow, b: LedgerRow): number {
  const [at, other] = [(a.at ?? "") as Instant, (b.at ?? "") as Instant];
  if (at !== other) return at > other ? -1 : 1;
  return (b.seq ?? 0) - (a.seq ?? 0);
}
