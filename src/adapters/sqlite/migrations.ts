/**
 * The format of the store: numbered steps from an empty file to what this version reads and writes.
 *
 * F1  A step that was released is never changed; a change of the format is a new step.
 * F2  All steps that are missing run in one transaction, so that any number of processes may open a new root at once.
 */
import { type Patience, untilFree } from "./busy.ts";
import type { SqliteDatabase } from "./engine.ts";
import { APPLICATION, FORMAT, formatOf } from "./format.ts";
import { FORMAT_1 } from "./format-1.ts";
import { FORMAT_2 } from "./format-2.ts";

/** Counts in an empty file alone. Small, because a command looks up a few rows in many tables, and reads whole pages for them. */
const PAGE_BYTES = 2048;

/** Steps by the format that they lead to, from 1 to `FORMAT`. */
const STEPS: readonly string[] = [FORMAT_1, FORMAT_2];

/** F2. */
export async function migrate(database: SqliteDatabase, patience: Patience): Promise<void> {
  await untilFree(() => database.exec(`pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal`), patience);
  await untilFree(() => database.exec("begin immediate"), patience);
  try {
    for (const step of STEPS.slice(formatOf(database, patience.path))) database.exec(step);
    database.exec(`pragma application_id = ${APPLICATION}; pragma user_version = ${FORMAT}; commit`);
  } catch (error) {
    abandon(database);
    throw error;
  }
}

/** Ends a transaction that failed; the engine may have ended it already. */
function abandon(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // "No transaction is active": the engine rolled back by itself.
  }
}
