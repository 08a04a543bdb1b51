/** Which todos a command asked for, with those that hang together with them. */
import type { TodoRecord } from "../../core/events.ts";
import { leasedTo } from "../../core/goal/head.ts";
import { linksOfTodo } from "../../core/goal/todo-links.ts";
import { needsOf } from "../../core/goal/todo-traits.ts";
import type { TodoId } from "../../core/id.ts";
import type { LoadRequest } from "../../ports/store.ts";
import type { GoalCell } from "./database.ts";
import { sortedBy } from "./order.ts";

export function chosenTodos(
  cell: GoalCell | undefined,
  { todos, frontier, same_text, needs_of = [] }: LoadRequest,
): ReadonlyMap<TodoId, TodoRecord> {
  if (cell === undefined) return new Map();
  const leased = frontier === undefined ? [] : leasedTo(cell.head, frontier.agent);
  const wanted = todos === "all" ? null : withLinked(cell, [...(todos === "none" ? [] : todos), ...leased]);
  const needed = needsFrom(cell, needs_of);
  const isChosen = (todo: TodoRecord): boolean => wanted === null || wanted.has(todo.todo_id) || needed.has(todo.todo_id);
  const chosen = [...cell.todos.values()].filter((todo) => isChosen(todo) || isSameText(todo, same_text));
  return new Map(sortedBy(chosen, ({ todo_id }) => [todo_id]).map((todo) => [todo.todo_id, todo]));
}

function isSameText(todo: TodoRecord, wanted: LoadRequest["same_text"]): boolean {
  if (wanted === undefined || todo.archived || todo.status !== "open") return false;
  return todo.role === wanted.role && todo.text === wanted.text;
}

/** The todos that are named, those they wait for and those that wait for them. */
function withLinked(cell: GoalCell, named: readonly TodoId[]): ReadonlySet<TodoId> {
  if (named.length === 0) return new Set();
  const links = [...cell.todos.values()].flatMap(linksOfTodo);
  const linked = links.flatMap(({ todo_id, needs_id }) => [
    ...(named.includes(todo_id) ? [needs_id] : []),
    ...(named.includes(needs_id) ? [todo_id] : []),
  ]);
  return new Set([...named, ...linked]);
}

function needsFrom(cell: GoalCell, ids: readonly TodoId[]): ReadonlySet<TodoId> {
  const found = new Set(ids);
  for (const id of found) {
    const todo = cell.todos.get(id);
    for (const need of todo === undefined ? [] : needsOf(todo)) found.add(need);
  }
  return found;
}
