/**
 * What happens to a todo in the fold, and to those that wait for it.
 *
 * Does not own: which events there are (`core/events.ts`) and leases (`evolve-lease.ts`).
 *
 * E1  `waits_for` of a todo names the todos it needs and the gates that name it, as long as they are not done. It changes
 *     when one of those does, so that what can be done is looked up and never searched for.
 * E2  A todo that is closed has no lease.
 * E3  Work that is closed without naming what comes next, or why nothing does, is a gap until that is said. What was
 *     closed when LoopX first saw it is history and none.
 */
import type { GoalEvent, TodoFields, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { GoalHead, TodoCounts } from "./head.ts";
import { TodoLinks } from "./todo-links.ts";
import { coversByName, kindOf, namesContinuation, needsOf } from "./todo-traits.ts";

/** The part of a draft that is folded; `evolve` changes it in place. */
export interface Foldable {
  head: GoalHead | null;
  readonly todos: Map<TodoId, TodoRecord>;
  readonly touched: Set<TodoId>;
  /** Made when it is first needed. */
  links?: TodoLinks | undefined;
}

export function withPlanSeq(
  head: GoalHead,
  event: GoalEvent & { readonly data: { readonly source: "file" | "command" } },
): GoalHead {
  return event.data.source === "command" ? { ...head, plan_seq: event.seq } : head;
}

export function changeTodo(
  state: Foldable,
  head: GoalHead,
  data: { readonly todo_id: TodoId; readonly fields: TodoFields },
): void {
  const before = state.todos.get(data.todo_id);
  if (before === undefined) state.head = head;
  else putTodo(state, head, { ...before, ...data.fields });
}

export function putTodo(state: Foldable, head: GoalHead, todo: TodoRecord): void {
  const before = state.todos.get(todo.todo_id);
  const counts = before === undefined ? head.todo_counts : count(head.todo_counts, before, -1);
  const links = linksOf(state);
  const record = derived(state, links, { todo, before });
  links.put(before, record);
  setTodo(state, record);
  state.head = { ...(isDone(record) ? withoutLease(head, todo.todo_id) : head), todo_counts: count(counts, record, 1) };
  if (isDone(before) !== isDone(record)) tellWaiters(state, links, record);
  if (kindOf(record) === "gate" || (before !== undefined && kindOf(before) === "gate")) tellCovered(state, { before, record });
}

/** For changes that no other todo depends on. */
export function setTodo(state: Foldable, record: TodoRecord): void {
  state.todos.set(record.todo_id, record);
  state.touched.add(record.todo_id);
}

export function removeTodo(state: Foldable, head: GoalHead, id: TodoId): void {
  const before = state.todos.get(id);
  state.touched.add(id);
  if (before === undefined) {
    state.head = head;
    return;
  }
  const links = linksOf(state);
  state.todos.delete(id);
  links.put(before, undefined);
  state.head = { ...withoutLease(head, id), todo_counts: count(head.todo_counts, before, -1) };
  if (kindOf(before) === "gate") tellCovered(state, { before, record: undefined });
  for (const waiter of links.waitersOf(id)) hold(state, waiter, { id, holds: true });
}

/** (E2) */
function withoutLease(head: GoalHead, id: TodoId): GoalHead {
  if (!Object.hasOwn(head.leases, id)) return head;
  const { [id]: _ended, ...leases } = head.leases;
  return { ...head, leases };
}

function linksOf(state: Foldable): TodoLinks {
  state.links ??= new TodoLinks(state.todos.values());
  return state.links;
}

interface Change {
  readonly todo: TodoRecord;
  readonly before: TodoRecord | undefined;
}

function derived(state: Foldable, links: TodoLinks, { todo, before }: Change): TodoRecord {
  const { waits_for: _waits, gap: _gap, ...rest } = todo;
  const waits_for = unmet(state, links, { todo, before });
  return { ...rest, ...(waits_for.length > 0 && { waits_for }), ...(isGap(todo, before) && { gap: true as const }) };
}

/** (E1) What is not loaded stays as it was known. */
function unmet(state: Foldable, links: TodoLinks, { todo, before }: Change): readonly TodoId[] {
  const known = new Set(before?.waits_for ?? []);
  const needsBefore = new Set(before === undefined ? [] : needsOf(before));
  const holds = (id: TodoId): boolean => {
    const other = state.todos.get(id);
    if (other !== undefined) return !isDone(other);
    return needsBefore.has(id) ? known.has(id) : true;
  };
  const needs = needsOf(todo);
  const gates = new Set([...links.gatesOf(todo.todo_id), ...[...known].filter((id) => !needsBefore.has(id))]);
  return [...needs.filter(holds), ...[...gates].filter((id) => !needs.includes(id) && isOpenGate(state, id)).sort()];
}

function isOpenGate(state: Foldable, id: TodoId): boolean {
  const gate = state.todos.get(id);
  return gate === undefined || !isDone(gate);
}

/** (E3) */
function isGap(todo: TodoRecord, before: TodoRecord | undefined): boolean {
  if (before === undefined || !isDone(todo) || kindOf(todo) !== "work" || namesContinuation(todo.metadata)) return false;
  return !isDone(before) || before.gap === true;
}

function tellWaiters(state: Foldable, links: TodoLinks, { todo_id, ...record }: TodoRecord): void {
  for (const waiter of links.waitersOf(todo_id)) hold(state, waiter, { id: todo_id, holds: record.status !== "done" });
}

function tellCovered(
  state: Foldable,
  { before, record }: { readonly before: TodoRecord | undefined; readonly record: TodoRecord | undefined },
): void {
  const id = (record ?? before)?.todo_id;
  if (id === undefined) return;
  const open = record !== undefined && !isDone(record) ? coversByName(record) : [];
  for (const covered of new Set([...(before === undefined ? [] : coversByName(before)), ...open])) {
    hold(state, covered, { id, holds: open.includes(covered) });
  }
}

function hold(state: Foldable, waiter: TodoId, { id, holds }: { readonly id: TodoId; readonly holds: boolean }): void {
  const todo = state.todos.get(waiter);
  if (todo === undefined || (todo.waits_for ?? []).includes(id) === holds) return;
  const rest = (todo.waits_for ?? []).filter((held) => held !== id);
  const waits_for = holds ? inOrder(todo, [...rest, id]) : rest;
  const { waits_for: _before, gap, ...record } = todo;
  setTodo(state, { ...record, ...(waits_for.length > 0 && { waits_for }), ...(gap === true && { gap }) });
}

/** Needs as they are named, then gates by id: the same in whatever order they came. */
function inOrder(todo: TodoRecord, ids: readonly TodoId[]): readonly TodoId[] {
  const needs = needsOf(todo);
  return [...needs.filter((id) => ids.includes(id)), ...ids.filter((id) => !needs.includes(id)).sort()];
}

export function isDone(todo: Pick<TodoRecord, "status"> | undefined): boolean {
  return todo?.status === "done";
}

function count(counts: TodoCounts, todo: TodoRecord, step: 1 | -1): TodoCounts {
  const waits = todo.status === "open" && todo.role === "user" && !todo.archived;
  return {
    ...counts,
    [todo.status]: counts[todo.status] + step,
    waiting_for_person: counts.waiting_for_person + (waits ? step : 0),
  };
}
