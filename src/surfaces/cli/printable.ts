/** Text for a terminal: what could move the cursor, recolour, or turn the writing direction is shown as an escape. */

const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Keeps tabs and line feeds; the answer of a command has lines. JSON stays JSON, and means the same. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** One line, whatever the text holds. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
