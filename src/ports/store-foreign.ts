/**
 * Cache of the runs that other programs wrote to `runs/index.jsonl`: derivable again from the file at any time.
 *
 * R1  Rows with one identity are one run; keys of the later row win, the place of the first stays (data-plane 5).
 * R2  Reading the file in any number of steps gives the same rows.
 */
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { Damage, RunRow } from "../core/runs/run.ts";

export interface ForeignRow {
  /** Equal for rows that are one run (`core/runs`). */
  readonly identity: string;
  /** Byte offset of its first line. */
  readonly position: number;
  readonly line: number;
  readonly at: Instant | null;
  readonly row: RunRow;
}

export interface ForeignCheckpoint {
  /** Of the file when it was read to `offset`. */
  readonly fingerprint: string;
  /** Bytes that were taken in: the end of a line, or of a whole row that ends the file without a line feed. */
  readonly offset: number;
  /** Lines up to `offset`. */
  readonly lines: number;
  /** SHA-256 of the last bytes (at most 4096) before `offset`: a rewritten file is noticed. */
  readonly tail_sha256: string;
  /** Non-blank lines, damaged ones too, those of LoopX itself left out. */
  readonly raw_records: number;
  /** The first 50; `damage_count` counts all. */
  readonly damage: readonly Damage[];
  readonly damage_count: number;
  /** Line of LoopX's own first row; null while there is none. */
  readonly first_own_line: number | null;
  /** The first row that another program appended after that line (drift `foreign_writer`). */
  readonly foreign_after_own: { readonly line: number; readonly generated_at: string; readonly at: Instant | null } | null;
}

export interface ForeignRuns {
  foreignCheckpoint(goalId: GoalId): Promise<ForeignCheckpoint | null>;
  /**
   * Takes in the rows between `from` and `checkpoint.offset`; `from: null` forgets what was cached first.
   * False when the cache does not stand at `from` any more (another process went on) or cannot be written.
   */
  ingestForeign(
    goalId: GoalId,
    step: { readonly from: number | null; readonly rows: readonly ForeignRow[]; readonly checkpoint: ForeignCheckpoint },
  ): Promise<boolean>;
  /**
   * Newest first: by instant, then position, both descending; rows without a time last, by the text of their
   * `generated_at` (none: empty), then position, both descending (`core/runs/history.ts` R4). `which: "speaking"` passes over
   * rows that do not speak for the goal (`core/runs/speaks.ts`) by an index, however many there are.
   */
  foreignRuns(
    goalId: GoalId,
    page: { readonly which: "all" | "speaking"; readonly skip: number; readonly limit: number },
  ): Promise<readonly ForeignRow[]>;
  foreignCount(goalId: GoalId): Promise<number>;
  forgetForeign(goalId: GoalId): Promise<boolean>;
}
