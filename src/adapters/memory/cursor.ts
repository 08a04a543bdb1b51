/** Cursors: opaque text that holds the sort key of the last row a page showed. */
import { Fault } from "../../errors.ts";

export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key), "utf8").toString("base64url");
}

/** The position in `keys`, which are in order, after the one that the cursor names; 0 without a cursor. */
export function placeAfter(cursor: string | null, keys: readonly (readonly (string | number)[])[], compare: Compare): number {
  if (cursor === null) return 0;
  const after = decode(cursor);
  if (after === null || (keys[0] !== undefined && after.length !== keys[0].length)) throw badCursor(cursor);
  const place = keys.findIndex((key) => compare(key, after) > 0);
  return place < 0 ? keys.length : place;
}

export function positionOf(cursor: string | null): number {
  if (cursor === null) return 0;
  if (!/^\d{1,15}$/.test(cursor)) throw badCursor(cursor);
  return Number(cursor);
}

type Compare = (a: readonly (string | number)[], b: readonly (string | number)[]) => number;

function decode(cursor: string): readonly (string | number)[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(key) && key.every((part) => typeof part === "string" || typeof part === "number") ? key : null;
  } catch {
    return null;
  }
}

function badCursor(cursor: string): Fault {
  return new Fault({
    code: "bad_cursor",
    message: `${JSON.stringify(cursor.slice(0, 80))} is no cursor of this list.`,
    hint: "Start from the first page: leave --cursor out.",
  });
}
