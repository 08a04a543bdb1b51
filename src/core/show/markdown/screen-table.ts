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
const LEAST_WIDTH = 3;

export interface ScreenTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Place of the column whose texts are as data has them. */
  readonly flexible: number;
}

export function screenTable({ head, rows, flexible }: ScreenTable): readonly string[] {
  const ready = rows.map((row) => row.map((cell, at) => (at === flexible ? cell : oneColumn(cell))));
  const others = widthsOf([head, ...ready]).filter((_, at) => at !== flexible);
  const room = SCREEN_WIDTH - 1 - BORDERS * head.length - others.reduce((sum, width) => sum + width, 0);
  const cut = ready.map((row) => row.map((cell, at) => (at === flexible ? fitted(cell, Math.max(LEAST, room)) : cell))); // (K1)
  const widths = widthsOf([head, ...cut]);
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => padded(String(cells[at]), width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cut.map(line)];
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? LEAST_WIDTH, widthOf(cell))),
    [],
  );
}
