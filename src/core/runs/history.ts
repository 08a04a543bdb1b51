/**
 * Rows of a run index as runs: which rows are one run, how they merge, and in what order runs are shown.
 *
 * Does not own: reading bytes (`line-reader.ts`), what is shown of a run (`summary.ts`), the cache (a port).
 *
 * R1  Rows with one identity are one run; keys of the later row win, the place of the first stays (data-plane 5).
 * R4  The order is total: newest first by instant; runs without a time come after all others, by their written time
 *     downwards; then the later position first.
 * R5  A run dated after `now` is shown with `future: true` and is never the latest (A76).
 */
import type { Instant } from "../instant.ts";
import { compareText } from "../show/rank.ts";
import type { RunRow, RunSummary } from "./run.ts";
import { speaksForGoal } from "./speaks.ts";

/** A row and where it stands in its file. */
export interface PlacedRow {
  readonly identity: string;
  readonly position: number;
  readonly line: number;
  readonly at: Instant | null;
  readonly row: RunRow;
}

/** R1. Text without U+0000 whatever the row holds; a key that is missing is the same as `null`, as in the reference. */
export function runIdentity(row: RunRow): string {
  return JSON.stringify([row.generated_at ?? null, row.json_path ?? null, row.markdown_path ?? null]);
}

/** R1. Spread copies own keys one by one, so that a key named `__proto__` stays a key. */
export function mergePlaced(earlier: PlacedRow, later: PlacedRow): PlacedRow {
  return { ...earlier, row: { ...earlier.row, ...later.row } };
}

/** What the order needs of a run. */
interface Ordered {
  readonly at: Instant | null;
  readonly written: string;
  readonly position: number;
}

/** R4 */
function compareOrdered(a: Ordered, b: Ordered): number {
  if (a.at !== b.at) {
    if (a.at === null) return 1;
    if (b.at === null) return -1;
    return a.at > b.at ? -1 : 1;
  }
  if (a.at === null && a.written !== b.written) return compareText(b.written, a.written);
  return b.position - a.position;
}

/** R4. Negative when `a` comes first. */
export function comparePlaced(a: PlacedRow, b: PlacedRow): number {
  return compareOrdered(orderOf(a), orderOf(b));
}

/** R4, over both origins: of two runs of one instant, LoopX's own comes first. */
export function compareRuns(a: RunSummary, b: RunSummary): number {
  if (a.at === b.at && a.origin !== b.origin && (a.at !== null || a.generated_at === b.generated_at)) {
    return a.origin === "journal" ? -1 : 1;
  }
  return compareOrdered(
    { at: a.at, written: a.generated_at ?? "", position: a.position },
    { at: b.at, written: b.generated_at ?? "", position: b.position },
  );
}

/** R5 */
export type DatedRun = RunSummary & { readonly future?: true };

export function isFuture(run: { readonly at: Instant | null }, now: Instant): boolean {
  return run.at !== null && run.at > now;
}

/** R5. The same runs in the same order, those after `now` marked. */
export function markFuture(runs: readonly RunSummary[], now: Instant): readonly DatedRun[] {
  return runs.map((run) => (isFuture(run, now) ? { ...run, future: true } : run));
}

/** The newest run that speaks for the goal; null when there is none. The order of `runs` does not matter. */
export function latestOf(runs: readonly RunSummary[], now: Instant): RunSummary | null {
  let latest: RunSummary | null = null;
  for (const run of runs) {
    if (isFuture(run, now) || !speaksForGoal(run)) continue; // (R5)
    if (latest === null || compareRuns(run, latest) < 0) latest = run;
  }
  return latest;
}

function orderOf({ at, row, position }: PlacedRow): Ordered {
  const written = row.generated_at;
  return { at, written: typeof written === "string" ? written : "", position };
}
