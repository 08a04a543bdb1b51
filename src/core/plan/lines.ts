/**
 * The lines of a state file. Only LF, CRLF and CR end one (data-plane 0.6): U+2028, NEL, VT and FF are text.
 */
import type { Plan, Span } from "./plan.ts";

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  /** Without the line ending. */
  readonly end: number;
  /** Where the next line starts: with the line ending. */
  readonly next: number;
}

const LF = 10;
const CR = 13;

/** Lines from `from` on; a text that ends in a line ending has no further, empty line. */
export function splitLines(text: string, from: number): readonly Line[] {
  const lines: Line[] = [];
  let start = from;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    const next = code === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
    lines.push({ number: lines.length + 1, start, end: at, next });
    start = next;
    at = next - 1;
  }
  if (start < text.length) lines.push({ number: lines.length + 1, start, end: text.length, next: text.length });
  return lines;
}

/** The line ending that most lines have; LF when there is none or no majority. */
export function prevailingNewline(text: string, lines: readonly Line[]): Plan["newline"] {
  let [lf, crlf, cr] = [0, 0, 0];
  for (const { end, next } of lines) {
    if (next - end === 2) crlf += 1;
    else if (next - end === 1 && text.charCodeAt(end) === LF) lf += 1;
    else if (next > end) cr += 1;
  }
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

const END: Line = { number: 0, start: 0, end: 0, next: 0 };

/** The line at that place in the list; past the last one an empty line with number 0. */
export function lineAt(lines: readonly Line[], at: number): Line {
  return lines[at] ?? END;
}

/** Only a space or a tab indents, as in the reference. */
export function isIndented(text: string, line: Line): boolean {
  return /^[ \t]/.test(text.slice(line.start, Math.min(line.end, line.start + 1)));
}

/** The line with its ending. */
export function wholeLine(line: Line): Span {
  return { start: line.start, end: line.next };
}
