/** What `run` answers: the turns that came to their end, and why no other one was begun. */

import type { TurnUsage } from "../host/usage.ts";
import type { StopReason, WorkerFact } from "../host/worker-protocol.ts";

export interface ShownTurn {
  readonly turn_id: string;
  readonly goal_id: string;
  readonly todo_id: string | null;
  /** `completed`, `progress`, …; `failed` with `why` naming the kind of failure. */
  readonly outcome: string;
  readonly why: string | null;
  readonly summary: string;
  readonly duration_ms: number;
  readonly usage: TurnUsage;
}

export interface RunPayload {
  readonly ok: boolean;
  readonly goal_id: string | null;
  readonly agent_id: string;
  readonly dry_run: boolean;
  readonly turns: readonly ShownTurn[];
  readonly stopped: StopReason;
  readonly why: string;
  readonly code: string | null;
  readonly fix: string | null;
  readonly until: string | null;
}

/** Null: no end of a turn. */
export function turnShown(fact: WorkerFact): ShownTurn | null {
  if (fact.event !== "turn_settled" && fact.event !== "turn_failed") return null;
  const { turn_id, goal_id, todo_id, usage } = fact;
  const named = { turn_id, goal_id, todo_id };
  const used = { duration_ms: usage.wall_ms, usage };
  if (fact.event === "turn_settled") return { ...named, outcome: fact.outcome, why: null, summary: fact.summary, ...used };
  return { ...named, outcome: "failed", why: fact.failure.kind, summary: fact.failure.message, ...used };
}
