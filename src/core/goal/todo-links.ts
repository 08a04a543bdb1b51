/** Which todos wait for which: from needs, and from gates that name todos. */
import type { TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { coversByName, needsOf, type TraitSource } from "./todo-traits.ts";

export interface TodoLink {
  readonly todo_id: TodoId;
  readonly needs_id: TodoId;
}

/** Every link that the record makes: of itself to what it needs, and, of a gate, of what it covers to itself. */
export function linksOfTodo(todo: TraitSource & Pick<TodoRecord, "todo_id">): readonly TodoLink[] {
  return [
    ...needsOf(todo).map((needs_id) => ({ todo_id: todo.todo_id, needs_id })),
    ...coversByName(todo).map((todo_id) => ({ todo_id, needs_id: todo.todo_id })),
  ];
}

export class TodoLinks {
  readonly #waiters = new Map<TodoId, Set<TodoId>>();
  readonly #gates = new Map<TodoId, Set<TodoId>>();

  constructor(todos: Iterable<TodoRecord>) {
    for (const todo of todos) this.put(undefined, todo);
  }

  put(before: TodoRecord | undefined, after: TodoRecord | undefined): void {
    if (before !== undefined) this.#each(before, (known, id) => known?.delete(id));
    if (after !== undefined) this.#each(after, (known, id) => known?.add(id));
  }

  /** Todos that name `id` among their needs. */
  waitersOf(id: TodoId): readonly TodoId[] {
    return [...(this.#waiters.get(id) ?? [])];
  }

  /** Gates that name `id`. */
  gatesOf(id: TodoId): readonly TodoId[] {
    return [...(this.#gates.get(id) ?? [])];
  }

  #each(todo: TodoRecord, change: (known: Set<TodoId> | undefined, id: TodoId) => void): void {
    for (const need of needsOf(todo)) change(setIn(this.#waiters, need), todo.todo_id);
    for (const covered of coversByName(todo)) change(setIn(this.#gates, covered), todo.todo_id);
  }
}

function setIn(map: Map<TodoId, Set<TodoId>>, id: TodoId): Set<TodoId> {
  const known = map.get(id) ?? new Set();
  map.set(id, known);
  return known;
}
