/** Cursors: opaque text that holds the sort key of the last row a page showed. */
import { Fault } from "../../errors.ts";
import type { SqlValue } from "./engine.ts";

export function encodeCursor(key: readonly SqlValue[]): string {
  return Buffer.from(JSON.stringify(key), "utf8").toString("base64url");
}

/** The key of `length` values. */
export function decodeCursor(cursor: string, length: number): readonly SqlValue[] {
  const key = parsed(Buffer.from(cursor, "base64url").toString("utf8"));
  if (!Array.isArray(key) || key.length !== length || !key.every(isValue)) throw badCursor(cursor);
  return key;
}

/** Store-wide positions are decimal numbers, the same in every engine. */
export function decodePosition(cursor: string | null): number {
  if (cursor === null) return 0;
  if (!/^\d{1,15}$/.test(cursor)) throw badCursor(cursor);
  return Number(cursor);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isValue(value: unknown): value is SqlValue {
  return typeof value === "number" || (typeof value === "string" && !value.includes("\0"));
}

function badCursor(cursor: string): Fault {
  return new Fault({
    code: "bad_cursor",
    message: `${JSON.stringify(cursor.slice(0, 80))} is no cursor of this list.`,
    hint: "Start from the first page: leave --cursor out.",
  });
}
