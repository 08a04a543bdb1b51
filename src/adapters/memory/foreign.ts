/** Cache of the runs that other programs wrote. */
import type { GoalId } from "../../core/id.ts";
import { RunTable } from "../../core/runs/run-table.ts";
import type { ForeignRuns } from "../../ports/store-foreign.ts";
import { cellOf, kept, type MemoryDatabase } from "./database.ts";
import type { Session } from "./session.ts";

type Step = Parameters<ForeignRuns["ingestForeign"]>[1];

export function foreignIn(session: Session): ForeignRuns {
  return {
    foreignCheckpoint: (goalId) => session.read(({ goals }) => goals.get(goalId)?.foreign?.checkpoint ?? null),
    ingestForeign: (goalId, step) => session.writeCache((database) => ingest(database, goalId, step)),
    foreignRuns: (goalId, page) => session.read(({ goals }) => goals.get(goalId)?.foreign?.table.page(page) ?? []),
    foreignCount: (goalId) => session.read(({ goals }) => goals.get(goalId)?.foreign?.table.count ?? 0),
    forgetForeign: (goalId) =>
      session.writeCache((database) => {
        cellOf(database, goalId).foreign = null;
        return true;
      }),
  };
}

/** R2: a step is taken only where the last one ended. */
function ingest(database: MemoryDatabase, goalId: GoalId, { from, rows, checkpoint }: Step): boolean {
  const cell = cellOf(database, goalId);
  if (from !== null && cell.foreign?.checkpoint.offset !== from) return false;
  const table = from === null ? new RunTable() : (cell.foreign?.table ?? new RunTable());
  table.add(rows.map(kept));
  cell.foreign = { table, checkpoint: kept(checkpoint) };
  return true;
}
