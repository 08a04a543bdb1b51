/**
 * How much of a terminal's line a text takes, and texts held to that.
 *
 * W1  Wide letters and emoji take two columns, combining marks none; what is unknown takes one.
 * W2  A fitted text is escaped, and never wider than it may be: the backslashes of its escapes count.
 */
import { shorten } from "../../shorten.ts";
import { markdown } from "../escape.ts";

const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
const ALONE = /^\p{M}$/u;

/** Nothing here is wide, combines or is half of a pair. */
const ORDINARY = /^[ -~…]*$/;

/** W1. */
export function widthOf(text: string): number {
  if (ORDINARY.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  const code = Number(character.codePointAt(0));
  if (code < 0x300) return 1;
  if (ALONE.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** W2. `-` for nothing. */
export function fitted(value: string | null, width: number): string {
  if (value === null || value === "") return "-";
  let limit = width;
  let shown = markdown(shorten(value, limit));
  while (limit > 1 && widthOf(shown) > width) {
    limit -= 1;
    shown = markdown(shorten(value, limit));
  }
  return widthOf(shown) > width ? "…" : shown;
}

export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
