/**
 * The todos of one section: todo lines with their metadata comments and continuation lines (data-plane 4).
 *
 * Does not own: ids and positions (`parse.ts`), the words of headings (`section-role.ts`).
 *
 * T1  A todo's block is its line and all lines below that are indented, blank lines between them included, up to the next
 *     todo, heading or line at the first column. A fence that starts indented belongs to it whole.
 * T2  Metadata is a comment that fills its line or lines. One at the first column counts as well when it stands
 *     directly below the todo, and is reported.
 * T3  The status in the metadata wins over the checkbox; a status that is none is reported and the checkbox counts.
 * T4  What stands in an archive section is closed work: open and blocked are read as done there.
 */

import { parseTodoId } from "../id.ts";
import type { LaidLine } from "./layout.ts";
import { isIndented, lineAt, wholeLine } from "./lines.ts";
import { asStatus, isMetadataComment, lastToken, type MetadataToken, metadataRecord, readMetadata } from "./metadata.ts";
import type { Diagnostic, PlanTodo, Span, TodoRole } from "./plan.ts";
import { priorityOf } from "./priority.ts";
import type { LaidSection } from "./sections.ts";
import { checkboxOf, markerOf, nearlyTodo, readTodoLine, type TodoLine } from "./todo-line.ts";
import { collapse, skipSpace, trimEnd } from "./white-space.ts";

/** A todo before its position in the file gives it an index and, where it has none, an id. */
export type FoundTodo = Omit<PlanTodo, "todo_id" | "id_source" | "index">;

interface OpenTodo {
  readonly line: LaidLine;
  readonly parts: TodoLine;
  readonly continuation: LaidLine[];
  readonly comments: Span[];
  last: LaidLine;
}

interface Reading {
  readonly text: string;
  readonly todos: OpenTodo[];
  readonly diagnostics: Diagnostic[];
  open: OpenTodo | null;
}

export interface ReadTodos {
  readonly todos: readonly FoundTodo[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readTodos(text: string, section: LaidSection): ReadTodos {
  const reading: Reading = { text, todos: [], diagnostics: [], open: null };
  section.lines.forEach((line, at) => {
    readLine(reading, line, line.kind === "comment_open" ? commentEnd(text, section.lines, at) : line.end);
  });
  return { todos: reading.todos.map((todo) => finish(reading, section, todo)), diagnostics: reading.diagnostics };
}

function warn(reading: Reading, code: string, line: number, message: string): void {
  reading.diagnostics.push({ code, severity: "warning", line, message });
}

/** Where the comments that start on line `at` end. */
function commentEnd(text: string, lines: readonly LaidLine[], at: number): number {
  let last = at;
  while (lines[last + 1]?.kind === "comment_rest") last += 1;
  const { start, end } = lineAt(lines, last);
  const close = last > at ? text.slice(start, end).indexOf("-->") : -1;
  return close >= 0 ? start + close + 3 : trimEnd(text, start, end);
}

const PART_OF_BLOCK: ReadonlySet<LaidLine["kind"]> = new Set(["comment_rest", "fenced", "fence_close"]);

function readLine(reading: Reading, line: LaidLine, end: number): void {
  if (line.kind === "blank") return;
  if (line.kind === "comment_open") readComment(reading, line, end);
  else if (PART_OF_BLOCK.has(line.kind)) extend(reading.open, line);
  else if (line.kind !== "text" || !startsTodo(reading, line)) readPlain(reading, line);
}

/** (T1) */
function readPlain(reading: Reading, line: LaidLine): void {
  if (isIndented(reading.text, line)) extend(reading.open, line);
  else reading.open = null;
}

function extend(open: OpenTodo | null, line: LaidLine): void {
  if (open === null) return;
  open.last = line;
  if (line.kind !== "comment_rest" && line.kind !== "comment_open") open.continuation.push(line);
}

/** Also true for a line that only looks like a todo: it ends the one above and is reported. */
function startsTodo(reading: Reading, line: LaidLine): boolean {
  const parts = readTodoLine(reading.text, line);
  if (parts !== null) {
    reading.open = { line, parts, continuation: [], comments: [], last: line };
    reading.todos.push(reading.open);
    return true;
  }
  const why = nearlyTodo(reading.text, line);
  if (why === null) return false;
  reading.open = null;
  warn(reading, "checkbox_not_understood", line.number, why);
  return true;
}

function readComment(reading: Reading, line: LaidLine, end: number): void {
  const { text, open } = reading;
  const comments = commentsBetween(text, skipSpace(text, line.start, line.end), end);
  const ours = comments.filter((comment) => isMetadataComment(text, comment));
  const indented = isIndented(text, line);
  if (open === null || !(indented || (ours.length > 0 && open.last.next === line.start))) {
    if (ours.length > 0) warn(reading, "metadata_without_todo", line.number, "This metadata comment does not stand below a todo");
    if (!indented) reading.open = null;
    return;
  }
  if (!indented) warn(reading, "metadata_not_indented", line.number, "A metadata comment is indented below its todo"); // (T2)
  open.last = line;
  const closed = ours.filter((comment) => text.startsWith("-->", comment.end - 3));
  if (closed.length < ours.length) warn(reading, "metadata_not_understood", line.number, "This metadata comment is not closed");
  for (const comment of closed) open.comments.push(comment);
}

function commentsBetween(text: string, from: number, end: number): readonly Span[] {
  const spans: Span[] = [];
  let start = from;
  while (start < end) {
    const close = text.slice(start, end).indexOf("-->", 4);
    const stop = close < 0 ? end : start + close + 3;
    spans.push({ start, end: stop });
    start = skipSpace(text, stop, end);
  }
  return spans;
}

function finish(reading: Reading, section: LaidSection, todo: OpenTodo): FoundTodo {
  const { text } = reading;
  const { line, parts, last, comments } = todo;
  const tokens = comments.flatMap((comment) => checkedTokens(reading, line.number, comment));
  const value = (key: string): string | null => lastToken(tokens, key)?.value ?? null;
  const task_class = validClass(tokens);
  const words = wordsOf(text, todo);
  const status = asStatus(value("status")) ?? parts.checkbox; // (T3)
  if (checkboxOf(markerOf(status)) !== parts.checkbox)
    warn(reading, "status_disagrees", line.number, `The metadata says ${status}, the checkbox ${parts.checkbox}`);
  if (words.includes("<!-- loopx:"))
    warn(reading, "metadata_not_understood", line.number, "A metadata comment stands on a line of its own");
  const archived = section.role === "archive";
  return {
    declared_id: parseTodoId(value("todo_id")),
    role: archived ? roleOfClass(task_class) : section.role === "user" ? "user" : "agent",
    archived,
    section: section.title,
    status: archived && status !== "deferred" ? "done" : status, // (T4)
    text: words,
    priority: priorityOf(words),
    task_class,
    metadata: metadataRecord(tokens),
    line: line.number,
    comment: comments[0] ?? null,
    comments,
    continuation: todo.continuation.map(wholeLine),
    todo_line: wholeLine(line),
    block: { start: line.start, end: last.next },
    marker: parts.marker,
    first_line: parts.first_line,
    checkbox: parts.checkbox,
  };
}

function wordsOf(text: string, { parts, continuation }: OpenTodo): string {
  const first = text.slice(parts.first_line.start, parts.first_line.end);
  if (continuation.length === 0) return collapse(first);
  return collapse([first, ...continuation.filter(hasWords).map(({ start, end }) => text.slice(start, end))].join(" "));
}

function hasWords(line: LaidLine): boolean {
  return line.kind !== "fence_open" && line.kind !== "fence_close";
}

function validClass(tokens: readonly MetadataToken[]): string | null {
  const token = lastToken(tokens, "task_class");
  return token?.valid === true ? token.value : null;
}

/** Whose work an archived todo was. */
export function roleOfClass(task_class: string | null): TodoRole {
  return task_class === "user_gate" || task_class === "user_action" ? "user" : "agent";
}

function checkedTokens(reading: Reading, line: number, comment: Span): readonly MetadataToken[] {
  const { tokens, junk } = readMetadata(reading.text, comment);
  const odd = junk[0];
  if (odd !== undefined)
    warn(
      reading,
      "metadata_not_understood",
      line,
      `"${reading.text.slice(odd.start, Math.min(odd.end, odd.start + 80))}" is no key=value`,
    );
  const keys = new Set<string>();
  for (const { key, value, valid } of tokens) {
    if (!valid) warn(reading, "metadata_not_understood", line, `${key} cannot be "${value.slice(0, 80)}"`);
    if (keys.has(key)) warn(reading, "duplicate_metadata_key", line, `The key ${key} stands twice; the last counts`);
    keys.add(key);
  }
  return tokens;
}
