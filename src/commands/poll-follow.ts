/**
 * The todos that follow from what was seen of a monitor.
 *
 * Does not own: recording the look (`poll-record.ts`).
 *
 * P1  Todos follow from a change, and once from each: what is seen again adds nothing.
 */

import type { TodoRecord } from "../core/events.ts";
import { isChange } from "../core/goal/monitor.ts";
import type { Refusal } from "../core/result.ts";
import type { Looked } from "./poll-look.ts";
import { addingBar } from "./todo-limits.ts";
import { nextRecords, type ReadyTodo } from "./todo-next.ts";
import type { Asking, TodoState } from "./write-todos.ts";

export interface Following {
  readonly look: Looked | undefined;
  readonly ready: readonly ReadyTodo[];
}

/** (P1) */
export function followingTodos(
  { registered }: Asking,
  state: TodoState,
  { look, ready }: Following,
): readonly TodoRecord[] | Refusal {
  const todo = look === undefined ? undefined : state.todos.get(look.todo.todo_id);
  if (look?.kind !== "seen" || todo === undefined || ready.length === 0 || !isChange(todo, look)) return [];
  const added = nextRecords(ready, { todo, state });
  return addingBar(registered, { head: state.head, added, closes: 0 }) ?? added;
}
