/**
 * Where new lines go into a state file, and new sections among the others.
 *
 * N1  New lines stand after what the section says already, and nothing below them becomes their continuation.
 * N2  Every new line has the file's own line ending; a text that ended without one still does.
 * N3  A new section has its canonical heading and stands before the first level-2 section of those that follow it by
 *     custom, else at the end.
 */
import { contentEnd, type Edit, insertion } from "./edit.ts";
import type { Plan, PlanTodo, Section, SectionRole, Span } from "./plan.ts";
import { CANONICAL_TITLE } from "./section-role.ts";
import { skipSpace, trimEnd } from "./white-space.ts";

export type WritableRole = keyof typeof CANONICAL_TITLE;

const FOLLOWERS: Readonly<Record<WritableRole, readonly SectionRole[]>> = {
  user: ["agent", "next_action", "feedback", "progress", "lessons", "archive"],
  agent: ["next_action", "feedback", "progress", "lessons", "archive"],
  next_action: ["feedback", "progress", "lessons", "archive"],
  archive: [],
};

export interface NewLines {
  readonly role: WritableRole;
  readonly lines: readonly string[];
}

/** Puts the lines at the end of the first section of that role, or into a new one. */
export function insertLines(text: string, plan: Plan, { role, lines }: NewLines): readonly Edit[] {
  if (lines.length === 0) return [];
  const section = plan.sections.find((candidate) => candidate.role === role);
  if (section === undefined) return [newSection(text, plan, { role, lines })];
  const last = plan.todos.findLast((todo) => isWithin(todo, section));
  return [
    last === undefined || role === "next_action"
      ? intoBody(text, plan, section, lines)
      : afterLine(text, plan, last.block, lines),
  ];
}

function isWithin({ block }: PlanTodo, { body }: Section): boolean {
  return block.start >= body.start && block.end <= body.end;
}

/** After a whole line (or lines) that end at `end`. (N1, N2) */
function afterLine(text: string, { newline }: Plan, { start, end }: Span, lines: readonly string[]): Edit {
  if (contentEnd(text, { start, end }) === end) return insertion(end, lines.map((line) => newline + line).join(""));
  return insertion(end, lines.map((line) => line + newline).join(""));
}

/** Into a section without todos: after its heading and an empty line, or after what it says and an empty line. */
function intoBody(text: string, plan: Plan, { heading, body }: Section, lines: readonly string[]): Edit {
  const { newline } = plan;
  const said = trimEnd(text, body.start, body.end);
  const after = said > body.start ? said : heading.end;
  const place = lineEndAfter(text, after);
  const open = contentEnd(text, { start: 0, end: place }) === place;
  if (open) return insertion(place, newline + lines.map((line) => newline + line).join(""));
  const gap = blankLineAt(text, place);
  const closing = gap === null || gap >= text.length || blankLineAt(text, gap) !== null ? "" : newline;
  if (gap === null)
    return insertion(place, newline + lines.map((line) => line + newline).join("") + (place < text.length ? newline : ""));
  return insertion(gap, lines.map((line) => line + newline).join("") + closing);
}

/** The place after the line ending that follows `at`, over white space on the line. */
function lineEndAfter(text: string, at: number): number {
  let place = at;
  while (place < text.length && text.charAt(place) !== "\n" && text.charAt(place) !== "\r") place += 1;
  return place + (text.startsWith("\r\n", place) ? 2 : Number(place < text.length));
}

/** The place after the blank line that starts at `at`; null when that line is not blank or has no ending. */
function blankLineAt(text: string, at: number): number | null {
  const end = lineEndAfter(text, at);
  return end > at && contentEnd(text, { start: at, end }) < end && skipSpace(text, at, end) === end ? end : null;
}

/** (N3) */
function newSection(text: string, plan: Plan, { role, lines }: NewLines): Edit {
  const { newline } = plan;
  const content = [`## ${CANONICAL_TITLE[role]}`, "", ...lines];
  const anchor = plan.sections.find((section) => section.level === 2 && FOLLOWERS[role].includes(section.role));
  const place = anchor?.heading.start ?? text.length;
  const gap = gapBefore(text, plan, place);
  if (anchor !== undefined) return insertion(place, gap + [...content, "", ""].join(newline));
  const open = place > 0 && contentEnd(text, { start: 0, end: place }) === place && text !== "\ufeff";
  return insertion(place, gap + content.join(newline) + (open ? "" : newline)); // (N2)
}

/** What makes the text before `place` end in an empty line. */
function gapBefore(text: string, { newline, has_bom }: Plan, place: number): string {
  const start = has_bom ? 1 : 0;
  if (place === start) return "";
  const end = contentEnd(text, { start, end: place });
  if (end === place) return newline + newline;
  return end === start || contentEnd(text, { start, end }) < end ? "" : newline;
}
