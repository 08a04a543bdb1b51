/**
 * White space of the state file: the reference's set, so that equal texts give equal generated ids (data-plane 0.6).
 *
 * It holds U+001C to U+001F and U+0085, and not U+FEFF: another set than that of `\s`.
 */

/** For use inside a character class. Every use is anchored or global: no pattern may backtrack over runs of it. */
export const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const RUN = new RegExp(`[${SPACES}]+`, "g");

function isSpace(code: number): boolean {
  if (code <= 0x20) return (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x20);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(code);
}

/** The first place from `at` on that is no white space, at most `end`. */
export function skipSpace(text: string, at: number, end: number): number {
  let place = at;
  while (place < end && isSpace(text.charCodeAt(place))) place += 1;
  return place;
}

/** The place after the last character before `end` that is no white space, at least `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let place = end;
  while (place > start && isSpace(text.charCodeAt(place - 1))) place -= 1;
  return place;
}

export function trim(text: string): string {
  const start = skipSpace(text, 0, text.length);
  return text.slice(start, trimEnd(text, start, text.length));
}

/** Every run of white space becomes one space, none at the ends. */
export function collapse(text: string): string {
  return trim(text.replace(RUN, " "));
}
