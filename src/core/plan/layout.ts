/**
 * What each line of a state file is, before any line is read for its meaning.
 *
 * Does not own: what headings, todos and entries say (`sections.ts`, `todos.ts`, `entries.ts`).
 *
 * L1  A fence or a comment that is never closed is not one: it hides nothing, and a diagnostic names its line.
 * L2  A comment over several lines ends at the first `-->`, which must come before the next `<!--` and not on a line
 *     that begins with a list bullet. So nothing that LoopX writes (list lines, one-line comments) closes a comment
 *     that a person left open.
 * L3  One pass: every line is looked at a bounded number of times, whatever the text.
 */
import { type Line, lineAt, splitLines } from "./lines.ts";
import type { Diagnostic } from "./plan.ts";
import { skipSpace, trimEnd } from "./white-space.ts";

export type LineKind =
  | "front_matter"
  | "heading"
  | "blank"
  | "fence_open"
  | "fenced"
  | "fence_close"
  | "comment_open"
  | "comment_rest"
  | "text";

export interface LaidLine extends Line {
  readonly kind: LineKind;
}

export interface Layout {
  readonly lines: readonly LaidLine[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Scan {
  readonly text: string;
  readonly lines: readonly Line[];
  /** By line number: the longest closing fence of each character on any later line, where there is one. */
  readonly closers: { readonly "`": ReadonlyMap<number, number>; readonly "~": ReadonlyMap<number, number> };
  readonly laid: LaidLine[];
  readonly diagnostics: Diagnostic[];
}

const HEADING = /^#{1,6}(?:[ \t]|$)/;
const BULLET = /^(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)/;

export function layOut(text: string): Layout {
  const lines = splitLines(text, text.startsWith("\ufeff") ? 1 : 0);
  const scan: Scan = { text, lines, closers: laterClosers(text, lines), laid: [], diagnostics: [] };
  takeFrontMatter(scan);
  for (let line = lineAt(lines, scan.laid.length); line.number > 0; line = lineAt(lines, scan.laid.length)) takeNext(scan, line);
  return { lines: scan.laid, diagnostics: scan.diagnostics };
}

/** Without its indentation; bounded, for tests of how a line begins. */
function beginning(text: string, line: Line): string {
  const start = skipSpace(text, line.start, line.end);
  return text.slice(start, Math.min(line.end, start + 16));
}

function take(scan: Scan, kind: LineKind): void {
  const { number, start, end, next } = lineAt(scan.lines, scan.laid.length);
  scan.laid.push({ number, start, end, next, kind });
}

function warn(scan: Scan, code: string, line: Line, message: string): void {
  scan.diagnostics.push({ code, severity: "warning", line: line.number, message });
}

function isRule(text: string, line: Line | undefined): boolean {
  return line !== undefined && text.slice(line.start, trimEnd(text, line.start, line.end)) === "---";
}

function takeFrontMatter(scan: Scan): void {
  const first = scan.lines[0];
  if (first === undefined || !isRule(scan.text, first)) return;
  const end = scan.lines.findIndex((line, at) => at > 0 && isRule(scan.text, line));
  if (end < 0) warn(scan, "front_matter_not_closed", first, "The front matter has no closing --- line and is read as text");
  for (let at = 0; at <= end; at += 1) take(scan, "front_matter");
}

function takeNext(scan: Scan, line: Line): void {
  const begins = beginning(scan.text, line);
  if (begins === "") take(scan, "blank");
  else if (HEADING.test(scan.text.slice(line.start, Math.min(line.end, line.start + 8)))) take(scan, "heading");
  else if (begins.startsWith("```") || begins.startsWith("~~~")) takeFence(scan, line);
  else if (begins.startsWith("<!--")) takeComment(scan, line);
  else take(scan, "text");
}

function takeFence(scan: Scan, line: Line): void {
  const { text } = scan;
  const start = skipSpace(text, line.start, line.end);
  const mark = text.charAt(start) === "~" ? "~" : "`";
  const length = runLength(text, start, line.end);
  const hasInk = mark === "`" && text.slice(start + length, line.end).includes("`");
  const closed = (scan.closers[mark].get(line.number) ?? 0) >= length;
  if (hasInk || !closed) {
    if (!hasInk) warn(scan, "fence_not_closed", line, "The code fence is never closed and is read as text"); // (L1)
    take(scan, "text");
    return;
  }
  take(scan, "fence_open");
  while (closingFence(text, lineAt(scan.lines, scan.laid.length), mark) < length) take(scan, "fenced");
  take(scan, "fence_close");
}

function runLength(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charAt(at) === text.charAt(start)) at += 1;
  return at - start;
}

/** How long the line's closing fence of `mark` is; 0 when the line is none. */
function closingFence(text: string, line: Line, mark: string): number {
  const start = skipSpace(text, line.start, line.end);
  if (text.charAt(start) !== mark || start === line.end) return 0;
  const length = runLength(text, start, line.end);
  return length >= 3 && skipSpace(text, start + length, line.end) === line.end ? length : 0;
}

function laterClosers(text: string, lines: readonly Line[]): Scan["closers"] {
  return { "`": closersOf(text, lines, "`"), "~": closersOf(text, lines, "~") };
}

function closersOf(text: string, lines: readonly Line[], mark: string): ReadonlyMap<number, number> {
  const longest = new Map<number, number>();
  let length = 0;
  for (const line of lines.toReversed()) {
    if (length > 0) longest.set(line.number, length);
    length = Math.max(length, closingFence(text, line, mark));
  }
  return longest;
}

function takeComment(scan: Scan, line: Line): void {
  const { text } = scan;
  const start = skipSpace(text, line.start, line.end);
  const own = text.slice(start, line.end);
  const close = own.indexOf("-->", 4);
  if (close >= 0) {
    take(scan, endsInComment(own, close) ? "comment_open" : "text");
    return;
  }
  const last = closingLine(scan, own);
  if (last === null)
    warn(scan, "comment_not_closed", line, "The comment is not closed; only its first line is taken for a comment"); // (L1)
  take(scan, "comment_open");
  while (last !== null && scan.laid.length <= last) take(scan, "comment_rest");
}

/** Is there nothing but comments on the line? */
function endsInComment(own: string, firstClose: number): boolean {
  let close = firstClose;
  for (;;) {
    const rest = skipSpace(own, close + 3, own.length);
    if (rest === own.length) return true;
    if (!own.startsWith("<!--", rest)) return false;
    close = own.indexOf("-->", rest + 4);
    if (close < 0) return false;
  }
}

/** Index of the line on which a comment that starts on the current one ends. Looks no further than the next mark. (L3) */
function closingLine(scan: Scan, own: string): number | null {
  if (own.includes("<!--", 4)) return null;
  for (let at = scan.laid.length + 1; at < scan.lines.length; at += 1) {
    const mark = firstMark(scan.text, lineAt(scan.lines, at));
    if (mark !== "none") return mark === "close" ? at : null;
  }
  return null;
}

/** (L2) What the line does to a comment that is open before it. */
function firstMark(text: string, line: Line): "none" | "close" | "bar" {
  const content = text.slice(line.start, line.end);
  const [open, close] = [content.indexOf("<!--"), content.indexOf("-->")];
  if (open < 0 && close < 0) return "none";
  const closes = close >= 0 && (open < 0 || close < open);
  return closes && !BULLET.test(beginning(text, line)) ? "close" : "bar";
}
