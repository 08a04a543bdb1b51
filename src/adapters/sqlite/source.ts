/**
 * Where the database of a connection comes from: the file itself, or what stands in where it cannot be written (`stand-in.ts`).
 *
 * Does not own: transactions (`connection.ts`), the format (`format.ts`).
 */
import type { Sql } from "./sql.ts";

export interface Source {
  readonly access: "read_write" | "read_only";
  readonly replacements: number;
  readonly storeId: string;
  current(): Promise<Sql>;
  close(): void;
}

/** A database that stays what it is until it is closed. */
export function fixedSource(sql: Sql, access: Source["access"]): Source {
  return { access, replacements: 0, storeId: storeIdOf(sql), current: () => Promise.resolve(sql), close: () => sql.close() };
}

export function storeIdOf(sql: Sql): string {
  return String(sql.row("select value from meta where key = 'store_id'")?.["value"]);
}
