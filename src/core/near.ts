/**
 * Names that a mistyped name was probably meant to be.
 *
 * K1  The cost is bounded: at most 10,000 candidates are looked at, each by a band of the distance table no wider than the distance allowed.
 * K2  The answer does not depend on the order of the candidates: nearest first, then by code point.
 */
import { compareText } from "./show/rank.ts";

const MAX_CANDIDATES = 10_000;
const MAX_LENGTH = 128;
const SHOWN = 3;

/** At most three of `candidates`, nearest first; empty when none comes close. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  const wanted = fold(name);
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    seen += 1;
    if (seen > MAX_CANDIDATES) break; // (K1)
    const distance = nearness(wanted, fold(candidate), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  const ordered = found.toSorted((a, b) => a.distance - b.distance || compareText(a.candidate, b.candidate)); // (K2)
  return [...new Set(ordered.map((match) => match.candidate))].slice(0, SHOWN);
}

function fold(text: string): string {
  return text.slice(0, MAX_LENGTH).normalize("NFC").toLowerCase();
}

/** One is the start of the other: as good as a slip of `limit` letters. */
function nearness(a: string, b: string, limit: number): number {
  const distance = editDistance(a, b, limit);
  const shorter = Math.min(a.length, b.length);
  return distance > limit && shorter >= 3 && (a.startsWith(b) || b.startsWith(a)) ? limit : distance;
}

interface Rows {
  readonly before: Int32Array;
  readonly above: Int32Array;
  readonly here: Int32Array;
}

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly limit: number;
}

/** Insertions, deletions, replacements and swaps of neighbours; any number above `limit` means "more than `limit`". */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const width = b.length + 2;
  let rows: Rows = {
    before: new Int32Array(width),
    above: Int32Array.from({ length: width }, (_, at) => at),
    here: new Int32Array(width),
  };
  for (let row = 1; row <= a.length; row += 1) {
    if (fillRow({ a, b, limit }, rows, row) > limit) return limit + 1;
    rows = { before: rows.above, above: rows.here, here: rows.before };
  }
  return Number(rows.above[b.length]);
}

/** K1: only the columns within `limit` of the diagonal are worked out, and fenced. Answers the least distance among them. */
function fillRow(pair: Pair, rows: Rows, row: number): number {
  const { here } = rows;
  const first = Math.max(1, row - pair.limit);
  const last = Math.min(pair.b.length, row + pair.limit);
  here[first - 1] = first === 1 ? row : pair.limit + 1;
  let least = first === 1 ? row : pair.limit + 1;
  for (let column = first; column <= last; column += 1) {
    const distance = cell(pair, rows, row, column);
    here[column] = distance;
    least = Math.min(least, distance);
  }
  here[last + 1] = pair.limit + 1;
  return least;
}

function cell({ a, b, limit }: Pair, { before, above, here }: Rows, row: number, column: number): number {
  const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
  const replaced = Number(above[column - 1]) + (same ? 0 : 1);
  const swapped = isSwap(a, b, row, column) ? Number(before[column - 2]) + 1 : limit + 1;
  return Math.min(replaced, Number(above[column]) + 1, Number(here[column - 1]) + 1, swapped);
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  if (row < 2 || column < 2) return false;
  return a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
}
