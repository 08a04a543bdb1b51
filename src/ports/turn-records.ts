/**
 * Where the records of turns are kept that have not been acknowledged yet.
 *
 * Does not own: what is in them (`core/host/turn-record.ts`).
 */
import type { TurnRecord } from "../core/host/turn-record.ts";
import type { GoalId, TurnId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";

export interface TurnPaths {
  readonly record: string;
  readonly result: string;
}

export interface TurnRecords {
  /** Of one turn. */
  paths(goalId: GoalId, turnId: TurnId): TurnPaths;
  /** Those of one goal, oldest first; what cannot be understood is a problem and stays. */
  list(goalId: GoalId): { readonly records: readonly TurnRecord[]; readonly problems: readonly Problem[] };
  /** Whole or not at all, for its owner alone. A disk that takes nothing is a `Fault`. */
  put(record: TurnRecord): void;
  /** With its result. */
  remove(record: Pick<TurnRecord, "goal_id" | "turn_id">): void;
}
