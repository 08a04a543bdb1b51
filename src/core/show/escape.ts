/**
 * Data in a page for people: nothing in it repaints a terminal, turns the writing direction, hides, or becomes Markdown.
 *
 * M1  Controls (C0, DEL, C1), line separators, direction marks, invisible format characters and halves of surrogate pairs are shown as
 *     `\u{…}`; all other text, wide and combined letters and emoji too, stays as it is.
 * M2  Markdown's own characters carry a backslash where they would mean something, so that a table keeps its columns and a text its looks:
 *     a bracket only where it would make a link or a box to tick.
 */

const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
];

/** Would this code unit or code point do something other than show itself? A whole surrogate pair is one code point. */
export function isHostile(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  return RANGES.some(([first, last]) => code >= first && code <= last);
}

/** M1. White space is collapsed first: a text of several lines is one line here. */
export function plain(text: string): string {
  let out = "";
  for (const character of text.replace(/[\t\n\r ]+/g, " ")) {
    const code = Number(character.codePointAt(0));
    out += isHostile(code) ? `\\u{${code.toString(16)}}` : character;
  }
  return out;
}

/** M1 and M2, for a table's cell, a list's item or the middle of a sentence. */
export function markdown(text: string): string {
  return plain(text.replaceAll("\\", "\\\\"))
    .replace(/[`*<>|~]/g, "\\$&")
    .replace(/\](?=[[(:])|^\[(?=[ xX]\])/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w+;)/g, "\\&");
}

/** A code span whose fence is longer than any run of backticks in it. */
export function code(text: string): string {
  const shown = plain(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
