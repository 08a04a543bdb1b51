/**
 * JSON as it leaves LoopX, and how many bytes that is.
 *
 * O1  Two-space indent, one line feed at the end, nothing in it that moves a terminal's cursor or turns its writing: such characters are
 *     written as `\uXXXX`, which a JSON reader takes for the same text.
 */
import { isHostile, isSuspect } from "./escape.ts";

export function printJson(value: unknown): string {
  return `${escaped(JSON.stringify(value, null, 2))}\n`;
}

/** UTF-8 length of `printJson(value)`. */
export function printedBytes(value: unknown): number {
  return utf8Length(printJson(value));
}

/** The bytes an entry takes inside a list that stands directly in the printed object: four more spaces a line, a comma and a line feed. */
export function entryBytes(value: unknown): number {
  const text = printJson(value);
  return utf8Length(text) + 4 * linesOf(text) + 1;
}

function linesOf(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

const LONGER = /[\x80-\uffff]/g;

/** A search for the few letters that take more than a byte is much cheaper than looking at each. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (const letter of text.match(LONGER) ?? []) {
    const unit = letter.charCodeAt(0);
    // Both halves of a pair count 2 for the 4 bytes they make.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** O1. Line feeds of the indentation stay; those of the data, and halves of surrogate pairs, are escaped already. */
function escaped(json: string): string {
  if (!isSuspect(json)) return json;
  let out = "";
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit < 0x7f || (unit >= 0xd800 && unit <= 0xdfff) || !isHostile(unit)) continue;
    out += `${json.slice(from, at)}\\u${unit.toString(16).padStart(4, "0")}`;
    from = at + 1;
  }
  return from === 0 ? json : out + json.slice(from);
}
