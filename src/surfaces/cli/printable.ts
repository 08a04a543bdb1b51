/** Text for a terminal: what could move the cursor, recolour, or turn the writing direction is shown as an escape. */
import { isHostile } from "../../core/show/escape.ts";

/** Keeps tabs and line feeds; the answer of a command has lines. */
export function printable(text: string): string {
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    out += isHostile(code) && character !== "\n" && character !== "\t" ? `\\u{${code.toString(16)}}` : character;
  }
  return out;
}

/** One line, whatever the text holds. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
