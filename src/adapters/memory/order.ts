/** Sort keys of rows, compared part by part: numbers by size, text by code point (S4 of the port). */
import { compareText } from "../../core/show/rank.ts";

export type Key = readonly (string | number)[];

export function compareKeys(a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? "";
    const difference =
      typeof left === "number" && typeof right === "number" ? left - right : compareText(String(left), String(right));
    if (difference !== 0) return difference;
  }
  return 0;
}

export function sortedBy<T>(rows: Iterable<T>, keyOf: (row: T) => Key): readonly T[] {
  return [...rows]
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ row }) => row);
}
