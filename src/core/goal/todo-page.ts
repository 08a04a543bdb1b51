/**
 * Which todos of a goal a list shows, in what order.
 *
 * Does not own: how a store finds them (adapters; `test/contract` holds them to this file), how they are shown.
 *
 * P1  What can be done comes first: open, then blocked, deferred, done; in each the order in which todos are taken up.
 */
import type { TodoRecord } from "../events.ts";
import type { TodoRole, TodoStatus } from "../plan/plan.ts";
import { compareReady } from "./ready-order.ts";

export interface TodoPageQuery {
  /** Empty: any. */
  readonly statuses: readonly TodoStatus[];
  readonly role: TodoRole | null;
  /** Those in the archive section, or those that are not. */
  readonly archived: boolean;
  readonly skip: number;
  readonly limit: number;
}

export interface TodoPage {
  readonly todos: readonly TodoRecord[];
  /** Of all that fit, on whatever page. */
  readonly count: number;
}

export const STATUS_ORDER: readonly TodoStatus[] = ["open", "blocked", "deferred", "done"];

export function todoPageOf(todos: Iterable<TodoRecord>, query: TodoPageQuery): TodoPage {
  const { statuses, role, archived, skip, limit } = query;
  const fitting = [...todos].filter(
    (todo) =>
      todo.archived === archived &&
      (role === null || todo.role === role) &&
      (statuses.length === 0 || statuses.includes(todo.status)),
  );
  const rank = ({ status }: TodoRecord): number => STATUS_ORDER.indexOf(status);
  const sorted = fitting.sort((a, b) => rank(a) - rank(b) || compareReady(a, b)); // (P1)
  return { todos: sorted.slice(skip, skip + limit), count: sorted.length };
}
