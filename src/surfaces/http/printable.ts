import { plain } from "../../core/show/escape.ts";

const LONGEST = 80;

/** What a caller sent, for a sentence: short, on one line, without characters that do more than show themselves. */
export function printable(sent: string): string {
  const shown = plain(sent);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
