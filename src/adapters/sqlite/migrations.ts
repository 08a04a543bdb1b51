/**
 * The format of the store: numbered steps from an empty file to what this version reads and writes.
 *
 * F1  A step that was released is never changed; a change of the format is a new step.
 * F2  All steps that are missing run in one transaction, so that any number of processes may open a new root at once.
 * F4  What is derived of the journals is derived again by the version that brings a step, so that it is what a rebuild gives.
 */
import { foldJournal } from "../../core/goal/fold-journal.ts";
import { type Patience, untilFree } from "./busy.ts";
import type { SqliteDatabase } from "./engine.ts";
import { APPLICATION, FORMAT, formatOf } from "./format.ts";
import { FORMAT_1 } from "./format-1.ts";
import { FORMAT_2 } from "./format-2.ts";
import { FORMAT_3 } from "./format-3.ts";
import { FORMAT_4 } from "./format-4.ts";
import { rebuildGoal } from "./rebuild.ts";
import { goalIdOf } from "./rows.ts";
import { Sql } from "./sql.ts";

/** Counts in an empty file alone. Small, because a command looks up a few rows in many tables, and reads whole pages for them. */
const PAGE_BYTES = 2048;

/** Steps by the format that they lead to, from 1 to `FORMAT`. */
const STEPS: readonly string[] = [FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4];

/** F2. */
export async function migrate(database: SqliteDatabase, patience: Patience): Promise<void> {
  await untilFree(() => database.exec(`pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal`), patience);
  await untilFree(() => database.exec("begin immediate"), patience);
  try {
    const before = formatOf(database, patience.path);
    for (const step of STEPS.slice(before)) database.exec(step);
    if (before > 0 && before < FORMAT) deriveAgain(new Sql(database));
    database.exec(`pragma application_id = ${APPLICATION}; pragma user_version = ${FORMAT}; commit`);
  } catch (error) {
    abandon(database);
    throw error;
  }
}

/** (F4) */
function deriveAgain(sql: Sql): void {
  for (const row of sql.rows("select distinct goal_id from events")) rebuildGoal(sql, goalIdOf(row), foldJournal);
}

/** Ends a transaction that failed; the engine may have ended it already. */
function abandon(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // "No transaction is active": the engine rolled back by itself.
  }
}
