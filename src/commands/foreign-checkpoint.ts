/**
 * How far the reading of a run index got, and what it met on the way.
 *
 * Does not own: reading (`foreign-runs.ts`), keeping it (a port).
 */
import { addMilliseconds, type Instant } from "../core/instant.ts";
import { MAX_DAMAGE, type Taken } from "../core/runs/line-reader.ts";
import type { Damage } from "../core/runs/run.ts";
import type { IndexFacts } from "../ports/run-files.ts";
import type { ForeignCheckpoint } from "../ports/store-foreign.ts";

/** The facts of a file whose reading is not finished: equal to those of no file. */
export const UNFINISHED = "";

/** A clock of a file system ticks at least this often. */
const TICK_MS = 2000;

export function emptyCheckpoint(): ForeignCheckpoint {
  return {
    fingerprint: UNFINISHED,
    offset: 0,
    lines: 0,
    tail_sha256: "",
    raw_records: 0,
    damage: [],
    damage_count: 0,
    first_own_line: null,
    foreign_after_own: null,
  };
}

/** Damage of the file as a whole comes first, so that it is among those that are kept. */
export function withFileDamage(checkpoint: ForeignCheckpoint, damage: Damage): ForeignCheckpoint {
  return { ...checkpoint, damage: [damage, ...checkpoint.damage], damage_count: checkpoint.damage_count + 1 };
}

/** An unfinished last line is read again. Its damage stands last in the list and counts as a record (`line-reader.ts` B1). */
export function withoutTornTail(checkpoint: ForeignCheckpoint): ForeignCheckpoint {
  if (checkpoint.damage.at(-1)?.code !== "torn_tail") return checkpoint;
  return {
    ...checkpoint,
    raw_records: checkpoint.raw_records - 1,
    damage: checkpoint.damage.slice(0, -1),
    damage_count: checkpoint.damage_count - 1,
  };
}

export function advanced(reached: ForeignCheckpoint, taken: Taken): ForeignCheckpoint {
  const tail = taken.damage.filter(({ code }) => code === "torn_tail");
  const whole = taken.damage.filter(({ code }) => code !== "torn_tail");
  return {
    ...reached,
    offset: taken.offset,
    lines: taken.lines,
    raw_records: reached.raw_records + taken.raw_records,
    damage: [...[...reached.damage, ...whole].slice(0, MAX_DAMAGE), ...tail],
    damage_count: reached.damage_count + taken.damage_count,
    ...writersIn(reached, taken),
  };
}

type Writers = Pick<ForeignCheckpoint, "first_own_line" | "foreign_after_own">;

function writersIn(reached: ForeignCheckpoint, { own, rows }: Taken): Writers {
  const [first] = own;
  const first_own_line = reached.first_own_line ?? first?.line ?? null;
  if (first_own_line === null || reached.foreign_after_own !== null) {
    return { first_own_line, foreign_after_own: reached.foreign_after_own };
  }
  const bound = reached.first_own_line === null ? (first?.position ?? 0) : -1;
  const after = rows.find(({ position }) => position > bound);
  if (after === undefined) return { first_own_line, foreign_after_own: null };
  const written = after.row.generated_at;
  const generated_at = typeof written === "string" ? written : "";
  return { first_own_line, foreign_after_own: { line: after.line, generated_at, at: after.at } };
}

export function fingerprintOf({ file, version }: IndexFacts): string {
  return `${file} ${version}`;
}

/** That of a file which changed just now carries a mark, so that it equals none: the file may change within the same tick. */
export function fingerprintAt(facts: IndexFacts, now: Instant): string {
  const young = addMilliseconds(facts.modified_at, TICK_MS) > now;
  return `${fingerprintOf(facts)}${young ? " young" : ""}`;
}

/** Whether the fingerprint is one of the file itself, however it changed since. */
export function isOfFile(fingerprint: string, { file }: IndexFacts): boolean {
  return fingerprint === UNFINISHED || fingerprint.split(" ")[0] === file;
}
