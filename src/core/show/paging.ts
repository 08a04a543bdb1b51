/**
 * What part of a list was asked for: `--limit`, `--cursor`, `--all`, `--fields`.
 *
 * Does not own: reading the rows (the store), cutting them to size (`status.ts`, `history.ts`).
 *
 * X1  A cursor says which list it continues, how many of it were seen, and behind what to go on; it is opaque to callers and holds nothing else.
 * X2  Without `--limit` a page is held to the byte budget; with it, to the number asked for; `--all` knows neither.
 */
import { nearest } from "../near.ts";
import type { Problem, Reply } from "../result.ts";
import { done, reject } from "../result.ts";

export type Extent =
  /** `bytes`: less than the usual budget, for a page that goes into something else. */
  | { readonly kind: "page"; readonly bytes?: number }
  | { readonly kind: "limit"; readonly rows: number }
  | { readonly kind: "all" };

export interface Cursor {
  readonly list: string;
  readonly seen: number;
  readonly after: string;
}

const CURSOR = /^([a-z]+)\.(\d{1,9})\.([\s\S]*)$/;
export const MAX_LIMIT = 10_000;
/** Of a default page, as `printJson` writes it (design 6). */
export const PAGE_BYTES = 32_768;

export function printCursor({ list, seen, after }: Cursor): string {
  return `${list}.${seen}.${after}`;
}

/** X1. `lists` are those that the command pages. */
export function parseCursor(text: string, lists: readonly string[]): Reply<Cursor> {
  const [, list, seen, after] = CURSOR.exec(text) ?? [];
  if (list !== undefined && after !== undefined && lists.includes(list)) return done({ list, seen: Number(seen), after });
  return reject("invalid_cursor", "--cursor takes the text that an answer gave in `left_out`, whole and unchanged", {
    problems: [problem("--cursor", `"${text.slice(0, 80)}" is none`)],
  });
}

/** X2. The texts as they were given; undefined where an option was not. */
export function parseExtent({ limit, all }: { readonly limit?: string; readonly all?: "all" }): Reply<Extent> {
  if (all !== undefined) return done({ kind: "all" });
  if (limit === undefined) return done({ kind: "page" });
  const rows = Number(limit);
  if (/^\d{1,9}$/.test(limit) && rows >= 1 && rows <= MAX_LIMIT) return done({ kind: "limit", rows });
  return reject("invalid_limit", `--limit takes a whole number from 1 to ${MAX_LIMIT}`, {
    problems: [problem("--limit", `"${limit.slice(0, 80)}" is none`)],
  });
}

/** Names of `known` between commas, white space around them ignored; each once, in the order of `known`. */
export function parseFields(text: string, known: readonly string[]): Reply<readonly string[]> {
  const asked = text.split(",").map((name) => name.trim());
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return done(known.filter((name) => asked.includes(name)));
  return reject("unknown_field", `there is no field ${unknown.map((name) => `"${name.slice(0, 80)}"`).join(", ")}`, {
    problems: unknown.map((name) => problem("--fields", `"${name.slice(0, 80)}" is none of ${known.join(", ")}`)),
    near: unknown.flatMap((name) => nearest(name, known)),
  });
}

function problem(path: string, message: string): Problem {
  return { path, code: "invalid_option", message };
}

/** The chosen keys of a row, in the order of the row. */
export function pick<Row extends object>(row: Row, fields: readonly string[]): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key))) as Partial<Row>;
}
