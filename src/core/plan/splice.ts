/**
 * What LoopX writes into a state file, each as the smallest edits of the exact text that was parsed.
 *
 * Does not own: which values are wanted (`render.ts`), where new lines go (`insert.ts`), metadata (`splice-metadata.ts`).
 *
 * W1  A value that the file says already makes no edit. Everything outside the spans stays.
 * W2  Texts are data: white space, line endings too, collapses to one space, and the text read back is equal. Nothing has
 *     to be escaped for it: a text always stands behind a bullet, where headings, rules, fences and comments cannot start.
 *     A Next Action that begins with a checkbox is written behind a checkbox of its own.
 * W3  What cannot be written so that it is read back equal (no text at all, a key that is none) is refused as bad input.
 */
import type { TodoId } from "../id.ts";
import { done, type Reply, reject } from "../result.ts";
import { contentEnd, type Edit, insertion, lineRemovals } from "./edit.ts";
import { beginsWithCheckbox } from "./entries.ts";
import { frontMatterEntry } from "./front-matter.ts";
import { insertLines } from "./insert.ts";
import { encodeValue, isMetadataKey } from "./metadata.ts";
import type { NextActionEntry, Plan, PlanTodo, Span, TodoRole, TodoStatus } from "./plan.ts";
import { editMetadata, type MetadataChange } from "./splice-metadata.ts";
import { checkboxOf, markerOf } from "./todo-line.ts";
import { collapse } from "./white-space.ts";

export type Edits = Reply<readonly Edit[]>;

/** A text and what it says: `plan` must be `parsePlan(text)`. */
export interface Source {
  readonly text: string;
  readonly plan: Plan;
}

export interface TodoChange {
  readonly text?: string;
  readonly status?: TodoStatus;
  /** `todo_id` may be among the keys; null removes a key. */
  readonly metadata?: MetadataChange;
}

export interface NewTodo {
  readonly todo_id: TodoId;
  readonly role: TodoRole;
  readonly text: string;
  readonly status: TodoStatus;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Makes the first Next Action section say these entries; without one it is inserted. Empty texts are left out. */
export function setNextAction({ text, plan }: Source, entries: readonly string[]): readonly Edit[] {
  const wanted = entries.map(collapse).filter((entry) => entry !== "");
  const old = plan.next_action ?? [];
  const kept = commonLength(old, wanted); // (W1)
  const bullets = wanted.slice(kept).map(nextActionLine);
  const [replaced, ...rest] = old.slice(kept).flatMap((entry) => entry.lines);
  if (replaced !== undefined)
    return [
      ...replaceLine(text, plan, replaced, bullets),
      ...lineRemovals([...(bullets.length === 0 ? [replaced] : []), ...rest]),
    ];
  const last = old.at(-1)?.lines.at(-1);
  if (last === undefined) return insertLines(text, plan, { role: "next_action", lines: bullets });
  return bullets.length === 0 ? [] : [insertion(contentEnd(text, last), bullets.map((line) => plan.newline + line).join(""))];
}

function commonLength(old: readonly NextActionEntry[], wanted: readonly string[]): number {
  const different = wanted.findIndex((entry, at) => old[at]?.text !== entry);
  return different < 0 ? Math.min(wanted.length, old.length) : different;
}

/** (W2) */
function nextActionLine(text: string): string {
  return beginsWithCheckbox(text) ? `- [ ] ${text}` : `- ${text}`;
}

function replaceLine(text: string, plan: Plan, line: Span, lines: readonly string[]): readonly Edit[] {
  if (lines.length === 0) return [];
  return [{ span: { start: line.start, end: contentEnd(text, line) }, text: lines.join(plan.newline) }];
}

/** Sets a front matter key in the spelling it has, quoted or not; a new key goes to the end. No front matter, no edit. */
export function setFrontMatter({ text, plan }: Source, key: string, value: string): Edits {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)) return reject("front_matter_key_invalid", `"${key}" cannot be a front matter key`); // (W3)
  const { front_matter } = plan;
  const wanted = collapse(value);
  if (front_matter === null) return done([]);
  const entry = frontMatterEntry(front_matter, key);
  if (entry === null) return done([insertion(front_matter.body.end, `${key}: ${scalar(wanted, "bare")}${plan.newline}`)]);
  if (entry.value === wanted) return done([]); // (W1)
  const written = scalar(wanted, text.startsWith('"', entry.span.start) ? "quoted" : "bare");
  return done([{ span: entry.span, text: text.charAt(entry.span.start - 1) === ":" ? ` ${written}` : written }]);
}

function scalar(value: string, style: "quoted" | "bare"): string {
  return style === "quoted" || /^".*"$/.test(value) ? `"${value}"` : value;
}

/** Changes one todo where it stands. */
export function editTodo({ text, plan }: Source, todo: PlanTodo, change: TodoChange): Edits {
  const flaw = changeFlaw(change);
  if (flaw !== null) return flaw;
  const status = change.status === todo.status ? undefined : change.status; // (W1)
  if (todo.archived && (status === "open" || status === "blocked"))
    return reject("archived_todo_closed", "What stands in the archive is closed work"); // (W3)
  const metadata = { ...change.metadata, ...(status !== undefined && needsStatusKey(todo, status) ? { status } : {}) };
  return done([
    ...(change.text === undefined ? [] : editText(todo, collapse(change.text))),
    ...(status === undefined ? [] : editMarker(todo, status)),
    ...editMetadata(text, plan, todo, metadata),
  ]);
}

/** (W3) */
function changeFlaw({ text, metadata }: TodoChange): Edits | null {
  if (text !== undefined && collapse(text) === "") return reject("todo_text_empty", "A todo needs a text");
  const odd = Object.keys(metadata ?? {}).find((key) => !isMetadataKey(key));
  return odd === undefined ? null : reject("metadata_key_invalid", `"${odd}" cannot be a metadata key`);
}

/** The checkbox says it all, unless the metadata speaks of the status as well or the status is blocked. */
function needsStatusKey(todo: PlanTodo, status: TodoStatus): boolean {
  return Object.hasOwn(todo.metadata, "status") || status === "blocked";
}

function editMarker({ marker, checkbox }: PlanTodo, status: TodoStatus): readonly Edit[] {
  const wanted = markerOf(status);
  return checkbox === checkboxOf(wanted) ? [] : [{ span: marker, text: wanted }];
}

function editText(todo: PlanTodo, wanted: string): readonly Edit[] {
  if (todo.text === wanted) return []; // (W1)
  return [{ span: todo.first_line, text: wanted }, ...lineRemovals(todo.continuation)];
}

/** Appends todos to the first section of their role, or to a new one. */
export function addTodos({ text, plan }: Source, todos: readonly NewTodo[]): Edits {
  const flaw = todos.map((todo) => changeFlaw(todo)).find((found) => found !== null);
  if (flaw !== undefined) return flaw;
  const linesOf = (role: TodoRole): readonly string[] => todos.filter((todo) => todo.role === role).flatMap(newTodoLines);
  return done([
    ...insertLines(text, plan, { role: "user", lines: linesOf("user") }),
    ...insertLines(text, plan, { role: "agent", lines: linesOf("agent") }),
  ]);
}

function newTodoLines(todo: NewTodo): readonly string[] {
  const pairs = Object.entries({ todo_id: todo.todo_id, status: todo.status, ...todo.metadata });
  const comment = pairs.map(([key, value]) => `${key}=${encodeValue(value)}`).join(" ");
  return [`- [${markerOf(todo.status)}] ${collapse(todo.text)}`, `  <!-- loopx:todo ${comment} -->`];
}
