/**
 * The format of the store: numbered steps from an empty file to what this version reads and writes.
 *
 * F1  A step that was released is never changed; a change of the format is a new step.
 * F2  All steps that are missing run in one transaction, so that any number of processes may open a new root at once.
 * F3  A file of a newer format, or of another program, is refused before anything is read from it or written to it.
 */
import { Fault } from "../../errors.ts";
import { type Patience, untilFree } from "./busy.ts";
import type { SqliteDatabase } from "./engine.ts";
import { damaged } from "./faults.ts";
import { FORMAT_1 } from "./format-1.ts";

/** Steps by the format that they lead to, from 1. */
const STEPS: readonly string[] = [FORMAT_1];

export const FORMAT: number = STEPS.length;

/** "lpx1". */
const APPLICATION = 0x6c707831;

/** F3. What the file is in now; 0 when it is empty. */
export function formatOf(database: SqliteDatabase, path: string): number {
  const format = number(database, "user_version");
  if (format === 0 && number(database, "schema_version") === 0) return 0;
  if (number(database, "application_id") !== APPLICATION) throw damaged(path, "it was written by another program than LoopX");
  if (format > FORMAT) throw newer(path, format);
  return format;
}

/** F2. */
export async function migrate(database: SqliteDatabase, patience: Patience): Promise<void> {
  await untilFree(() => database.exec("pragma journal_mode = wal"), patience);
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

function number(database: SqliteDatabase, pragma: string): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma] ?? 0);
}

function newer(path: string, format: number): Fault {
  return new Fault({
    code: "store_newer",
    message: `The store ${path} has format ${format}; this loopx reads and writes up to format ${FORMAT}.`,
    hint: "Install the newest loopx (`npm install -g loopx@latest`), or use the one that wrote this store.",
  });
}
