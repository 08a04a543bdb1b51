/**
 * Which format a store has.
 *
 * Does not own: the steps that lead to it (`migrations.ts`, loaded where one is missing).
 *
 * F3  A file of a newer format, or of another program, is refused before anything is read from it or written to it.
 */
import { Fault } from "../../errors.ts";
import type { SqliteDatabase } from "./engine.ts";
import { damaged } from "./faults.ts";

/** What this version reads and writes. */
export const FORMAT = 4;

/** "lpx1". */
export const APPLICATION = 0x6c707831;

/** F3. What the file is in now; 0 when it is empty. */
export function formatOf(database: SqliteDatabase, path: string): number {
  const format = number(database, "user_version");
  if (format === 0 && number(database, "schema_version") === 0) return 0;
  if (number(database, "application_id") !== APPLICATION) throw damaged(path, "it was written by another program than LoopX");
  if (format > FORMAT) throw newer(path, format);
  return format;
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
