/**
 * List entries of a section: Next Action, Recent User Feedback, Progress Ledger (data-plane 4, reader A).
 *
 * E1  A bullet (`-`, `*`, `1.`, `1)`, indented or not) starts an entry; an indented line goes on with it; a blank line
 *     ends it; any other line is an entry of its own. Comments and rules (`---`) are skipped and keep their place.
 * E2  Bullet, checkbox and fence lines are no part of the text, and the text is never cut.
 * E3  One bullet and one checkbox are taken off, not more: `- [ ] [x] a` says "[x] a".
 */

import type { LaidLine } from "./layout.ts";
import { wholeLine } from "./lines.ts";
import type { NextActionEntry, Span } from "./plan.ts";
import { collapse, SPACES, skipSpace, trimEnd } from "./white-space.ts";

const BULLET = new RegExp(`^[${SPACES}]*(?:[-*]|[0-9]{1,9}[.)])(?:[${SPACES}]+|$)`);
const CHECKBOX = new RegExp(`^\\[[ xX-]\\](?:[${SPACES}]+|$)`);
const RULE = new RegExp(`^[${SPACES}]*(?:-{3,}|\\*{3,}|_{3,})[${SPACES}]*$`);

interface OpenEntry {
  readonly words: string[];
  readonly lines: LaidLine[];
  readonly first: LaidLine;
  last: LaidLine;
}

export function readEntries(text: string, lines: readonly LaidLine[]): readonly NextActionEntry[] {
  const entries: OpenEntry[] = [];
  let open: OpenEntry | null = null;
  for (const line of lines) open = readLine({ entries, open, line, content: text.slice(line.start, line.end) });
  return entries.flatMap((entry) => finish(text, entry));
}

interface Step {
  readonly entries: OpenEntry[];
  readonly open: OpenEntry | null;
  readonly line: LaidLine;
  readonly content: string;
}

/** Takes one line in; gives the entry that an indented line below it would go on with. */
function readLine({ entries, open, line, content }: Step): OpenEntry | null {
  const role = roleOfLine(content, line, open);
  if (role === "skip") return open;
  if (role === "end") return null;
  if (role === "more" && open !== null) {
    extend(open, content, line);
    return open;
  }
  const entry: OpenEntry = { words: [], lines: [], first: line, last: line };
  entries.push(entry);
  extend(entry, role === "bullet" ? withoutBullet(content) : content, line);
  return role === "text" && line.kind === "text" ? null : entry;
}

/** Does `text` begin with what would be taken for a checkbox? (E3) */
export function beginsWithCheckbox(text: string): boolean {
  return CHECKBOX.test(text);
}

type LineRole = "skip" | "end" | "more" | "bullet" | "text";

function roleOfLine(content: string, line: LaidLine, open: OpenEntry | null): LineRole {
  if (line.kind === "comment_open" || line.kind === "comment_rest") return "skip"; // (E1)
  if (line.kind === "blank") return "end";
  if (line.kind === "fenced" || line.kind === "fence_close") return "more";
  const start = skipSpace(content, 0, content.length);
  if (content.startsWith("<!--", start)) return "skip";
  if (line.kind === "text" && RULE.test(content)) return "end";
  if (line.kind === "text" && BULLET.test(content)) return "bullet";
  return open !== null && start > 0 && /^[ \t]/.test(content) ? "more" : "text";
}

function extend(entry: OpenEntry, content: string, line: LaidLine): void {
  entry.lines.push(line);
  entry.last = line;
  if (line.kind !== "fence_open" && line.kind !== "fence_close") entry.words.push(content); // (E2)
}

function withoutBullet(content: string): string {
  return content.replace(BULLET, "").replace(CHECKBOX, ""); // (E3)
}

function finish(text: string, entry: OpenEntry): readonly NextActionEntry[] {
  const { first, last } = entry;
  const words = collapse(entry.words.join(" "));
  const span: Span = { start: skipSpace(text, first.start, first.end), end: trimEnd(text, last.start, last.end) };
  return [{ text: words, line: first.number, span, lines: entry.lines.map(wholeLine) }].filter((read) => read.text !== "");
}
