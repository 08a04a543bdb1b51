/** Todos for people: one that was written, a list, one whole. */
import { code, markdown as text } from "../escape.ts";
import type { ShownTodo, TodoShowPayload, TodoWritePayload } from "../todo.ts";
import type { TodoListPayload } from "../todo-list.ts";
import { counted, list, page, table } from "./table.ts";
import { problemLine } from "./words.ts";

export function todoWrittenPage(answer: TodoWritePayload): string {
  const { todo, next_todos, warnings, texts_shortened } = answer;
  return page(
    [`# ${headline(answer)}: ${text(todo.text)}`],
    list([
      `todo: ${code(todo.todo_id)}`,
      `status: ${todo.status}`,
      ...(todo.claimed_by === null ? [] : [`owner: ${code(todo.claimed_by)}`]),
      ...(todo.waits_for ?? []).map((id) => `waits for ${code(id)}`),
      ...next_todos.map((next) => `next: ${text(next.text)} (${code(next.todo_id)})`),
      ...(texts_shortened === 0 ? [] : ["texts were shortened here; `loopx todo show` is whole"]),
      ...warnings.map(problemLine),
    ]),
  );
}

function headline({ added, changed, already_exists, dry_run, status }: TodoWritePayload): string {
  if (dry_run) return `Would be ${added ? "added" : status}`;
  if (added) return "Added";
  if (!changed) return already_exists ? "Already there" : `Already ${status}`;
  return status === "done" ? "Closed" : "Changed";
}

export function todoListPage(answer: TodoListPayload): string {
  const { goal_id, todos, todo_count, left_out, problems } = answer;
  return page(
    [`# ${counted(todo_count, "todo")} of ${text(goal_id)}`],
    todos.length === 0 ? [] : table(["todo", "status", "priority", "owner", "text"], todos.map(cells)),
    left_out.todos === 0 ? [] : [`${left_out.todos} more: ${code(left_out.get[0] ?? "")}`],
    list(problems.map(problemLine)),
  );
}

function cells(todo: ShownTodo): readonly string[] {
  const waits = todo.status !== "done" && (todo.waits_for ?? []).length > 0 ? ", waits" : "";
  const owner = todo.claimed_by === null ? "-" : code(todo.claimed_by);
  return [
    code(todo.todo_id),
    `${todo.status}${waits}`,
    todo.priority === null ? "-" : `P${todo.priority}`,
    owner,
    text(todo.text),
  ];
}

export function todoShowPage({ goal_id, todo, lease, why_not }: TodoShowPayload): string {
  const { metadata } = todo;
  return page(
    [`# ${text(todo.text)}`],
    list([
      `goal: ${code(goal_id)}`,
      `todo: ${code(todo.todo_id)}`,
      `status: ${todo.status}${todo.archived ? ", archived" : ""}`,
      `kind: ${todo.kind}`,
      ...(todo.waits_for ?? []).map((id) => `waits for ${code(id)}`),
      ...(lease === null ? [] : [`lease: ${code(lease.owner)}, number ${lease.epoch}, until ${lease.expires_at}`]),
      ...(why_not === null ? [] : [`cannot be taken up: ${text(why_not.message)}; ${text(why_not.change)}`]),
      ...Object.entries(metadata).map(([key, value]) => `${text(key)}: ${text(value)}`),
    ]),
  );
}

export interface ShownTodoArchive {
  readonly goal_id: string;
  readonly dry_run: boolean;
  readonly moved_count: number;
  readonly moved: readonly string[];
  readonly active_done: number;
}

export function todoArchivedPage({ goal_id, dry_run, moved_count, moved, active_done }: ShownTodoArchive): string {
  return page(
    [`# ${counted(moved_count, "todo")} of ${text(goal_id)} ${dry_run ? "would move" : "moved"} to the archive`],
    list([...moved.map(code), `closed and still in place: ${active_done}`]),
  );
}
