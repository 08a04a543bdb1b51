/**
 * A table that stands in 80 columns of a terminal and is Markdown all the same.
 *
 * K1  One column takes what the others leave; its texts are cut to that. The others come in escaped and short.
 */
import { oneColumn } from "./table.ts";
import { fitted, padded, widthOf } from "./width.ts";

const SCREEN_WIDTH = 80;
const BORDERS = 3;
const LEAST = 8;

export interface ScreenTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Place of the column whose texts are as data has them. */
  readonly flexible: number;
}

export function screenTable({ head, rows, flexible }: ScreenTable): readonly string[] {
  const ready = rows.map((row) => row.map((cell, at) => (at === flexible ? cell : oneColumn(cell))));
  const others = head.map((_, at) => (at === flexible ? 0 : widest(head, ready, at)));
  const room = SCREEN_WIDTH - 1 - BORDERS * head.length - others.reduce((sum, width) => sum + width, 0);
  const cut = ready.map((row) => row.map((cell, at) => (at === flexible ? fitted(cell, Math.max(LEAST, room)) : cell))); // (K1)
  const widths = head.map((_, at) => widest(head, cut, at));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, at) => padded(cell, widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cut.map(line)];
}

function widest(head: readonly string[], rows: readonly (readonly string[])[], at: number): number {
  return Math.max(3, ...[head, ...rows].map((row) => widthOf(row[at] ?? "")));
}
