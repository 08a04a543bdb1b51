/**
 * Whether runs that were read before are missing after an index was read from the start again.
 *
 * A corrected line or a repair by another program takes no run away; a cut file or one that was put in its place does.
 */
import type { GoalId } from "../core/id.ts";
import type { RunPage } from "../core/runs/run-table.ts";
import type { ForeignRow, ForeignRuns } from "../ports/store-foreign.ts";

export interface Remembered {
  readonly count: number;
  /** Identities of the newest. */
  readonly newest: ReadonlySet<string>;
}

export interface Runs {
  count(): Promise<number>;
  newest(page: RunPage): Promise<readonly ForeignRow[]>;
}

const PAGE = 1000;

export function storedRuns(store: ForeignRuns, goalId: GoalId): Runs {
  return { count: () => store.foreignCount(goalId), newest: (page) => store.foreignRuns(goalId, page) };
}

export async function remember(runs: Runs): Promise<Remembered> {
  const newest = await runs.newest({ which: "all", skip: 0, limit: PAGE });
  return { count: await runs.count(), newest: new Set(newest.map(({ identity }) => identity)) };
}

/** Of older runs than those remembered only the number is compared. */
export async function isAnyLost(runs: Runs, before: Remembered): Promise<boolean> {
  const grown = (await runs.count()) - before.count;
  if (grown < 0) return true;
  const unseen = new Set(before.newest);
  // A run of before has moved down by as many as were added, if none was taken away.
  for (let skip = 0; unseen.size > 0 && skip < before.newest.size + grown; skip += PAGE) {
    for (const { identity } of await runs.newest({ which: "all", skip, limit: PAGE })) unseen.delete(identity);
  }
  return unseen.size > 0;
}
