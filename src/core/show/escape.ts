/**
 * Data in a page for people: nothing in it repaints a terminal, turns the writing direction, hides, or becomes Markdown.
 *
 * M1  Controls (C0 but for tab and line feed, DEL, C1), line separators, direction marks, invisible format characters and halves of
 *     surrogate pairs are shown as `\u{…}`; all other text, wide and combined letters and emoji too, stays as it is.
 * M2  Markdown's own characters carry a backslash where they would mean something, so that a table keeps its columns and a text its looks:
 *     a bracket only where it would make a link or a box to tick.
 */

const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
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

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
const SUSPECT = new RegExp(
  `[${RANGES.filter(([, last]) => last <= 0xffff)
    .map(([first, last]) => `${unit(first)}-${unit(last)}`)
    .join("")}]`,
);

/** False: nothing in `text` is hostile. One search is much cheaper than looking at each character. */
export function isSuspect(text: string): boolean {
  return SUSPECT.test(text);
}

/** M1. */
export function withoutHostile(text: string): string {
  if (!isSuspect(text)) return text;
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = Number(text.codePointAt(at));
    const first = at;
    if (code > 0xffff) at += 1;
    if (!isHostile(code)) continue;
    out += `${text.slice(from, first)}\\u{${code.toString(16)}}`;
    from = at + 1;
  }
  return out + text.slice(from);
}

/** M1. White space is collapsed first: a text of several lines is one line here. */
export function plain(text: string): string {
  return withoutHostile(text.replace(/[\t\n\r ]+/g, " "));
}

const SPECIAL = /[`*<>|~[\]_&]/;

/** M1 and M2, for a table's cell, a list's item or the middle of a sentence. */
export function markdown(text: string): string {
  const shown = plain(text.replaceAll("\\", "\\\\"));
  if (!SPECIAL.test(shown)) return shown;
  return shown
    .replace(/[`*<>|~]/g, "\\$&")
    .replace(/\](?=[[(:])|^\[(?=[ xX]\])/g, "\\$&")
    .replace(/_/g, (_, at: number, whole: string) => (isWithinWord(whole, at) ? "_" : "\\_"))
    .replace(/&(?=#?\w+;)/g, "\\&");
}

const ENDS_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_WORD = /^[\p{L}\p{N}]/u;

/** Between letters or digits. Node builds the sets of all letters anew in each process, so they are asked for other letters than ours only. */
function isWithinWord(text: string, at: number): boolean {
  return (
    isLetter(text.charCodeAt(at - 1), () => ENDS_WORD.test(text.slice(Math.max(0, at - 2), at))) &&
    isLetter(text.charCodeAt(at + 1), () => BEGINS_WORD.test(text.slice(at + 1, at + 3)))
  );
}

function isLetter(unit: number, ifForeign: () => boolean): boolean {
  if (unit >= 0x80) return ifForeign();
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** A code span whose fence is longer than any run of backticks in it. */
export function code(text: string): string {
  const shown = plain(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
