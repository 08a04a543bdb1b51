/**
 * The run files of a goal, `goals/<goal_id>/runs/`: the index that other programs append to too, and the pair of each run.
 *
 * Does not own: what a line or a record is (`core/runs`), when to read and write (`commands`).
 *
 * X1  Nothing is read or written through a link that leaves the goals folder.
 * X2  What cannot be read or written is a value; nothing here throws.
 * X3  The index is only appended to, each row in one write that begins on a line of its own; nothing here is synced.
 * X4  A file that exists is never replaced.
 */
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { RunNames } from "../core/runs/mirror.ts";
import type { Damage } from "../core/runs/run.ts";
import type { RunPaths } from "../core/runs/stem.ts";

/** What the file system says of an index without opening it. */
export interface IndexFacts {
  readonly path: string;
  /** Names the file itself: another one in its place has another. */
  readonly file: string;
  /** Changes whenever the file may have changed. */
  readonly version: string;
  readonly size: number;
  readonly modified_at: Instant;
}

export interface NoIndex {
  readonly kind: "missing";
}

/** Something is there that cannot be read. */
export interface DamagedIndex {
  readonly kind: "damaged";
  readonly damage: Damage;
}

export interface OpenIndex {
  readonly kind: "open";
  readonly facts: IndexFacts;
  /** At most `length` bytes from `from`; fewer at the end of the file. Valid until the next call. */
  read(from: number, length: number): Uint8Array | Damage;
  /** Hex SHA-256 of the bytes between the two offsets. */
  sha256(from: number, to: number): string | Damage;
  close(): void;
}

export interface RunFiles {
  /** Without opening anything. */
  probe(goalId: GoalId): { readonly kind: "found"; readonly facts: IndexFacts } | NoIndex | DamagedIndex;
  open(goalId: GoalId): OpenIndex | NoIndex | DamagedIndex;
  /** Whether the goal's runs folder has a file of that name. */
  has(goalId: GoalId, name: string): boolean;
}

export interface MirrorRequest {
  readonly goal_id: GoalId;
  /** Of the run's time (`core/runs/stem.ts`). */
  readonly stem: string;
  /** The event behind the run and the journal it is in, as its record names them. */
  readonly event: string;
  readonly journal: string;
  readonly record: string;
  readonly markdown: string;
  /** The index row, one line without its line feed. */
  readonly row: (paths: RunPaths) => string;
  /** Names that the index gives already: the files are completed and no row is appended. Null: the run has no row. */
  readonly named: RunNames | null;
  /** `again`: an interrupted attempt may have left files of this run, which are looked for among those of its second. */
  readonly attempt: "first" | "again";
}

export type MirrorOutcome =
  | ({ readonly kind: "written" } & RunPaths)
  /** What was written before `step` stays; the same request later completes it. */
  | {
      readonly kind: "failed";
      readonly step: "folder" | "json" | "markdown" | "row";
      /** Of the file system, for example `ENOSPC`; or `outside_root`, `no_free_name`, `short_write`. */
      readonly code: string;
      readonly path: string;
    };

export interface RunMirror {
  /** The same request again doubles no file; a row is appended each time unless `named` says that there is one. */
  write(request: MirrorRequest): MirrorOutcome;
}
