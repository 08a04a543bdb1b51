/**
 * What happens to a todo in the fold, and to those that wait for it.
 *
 * Does not own: which events there are (`core/events.ts`) and leases (`evolve-lease.ts`).
 *
 * E1  `waits_for` of a todo names the todos it needs, also those that are not there, and the gates that name it, as long as
 *     they are not done; a gate in the archive asks nobody. It changes when one of those does, so that what can be done is
 *     looked up and never searched for.
 * E2  A todo that is closed has no lease.
 * E3  Work that is closed without naming what comes next, or why nothing does, is a gap until that is said. What was
 *     closed when LoopX first saw it is history and none.
 * E4  Another condition has not been met yet; work that reads otherwise, or is opened again, was not tried yet.
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
  tellOthers(state, links, { id: todo.todo_id, before, after: record });
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
  tellOthers(state, links, { id, before, after: undefined });
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
  const { waits_for: _waits, gap: _gap, wake_met, stall, ...rest } = todo;
  const waits_for = unmet(state, links, { todo, before });
  return {
    ...rest,
    ...(wake_met === true && !isOtherWake(todo, before) && { wake_met }),
    ...(stall !== undefined && !isAnew(todo, before) && { stall }),
    ...(waits_for.length > 0 && { waits_for }),
    ...(isGap(todo, before) && { gap: true as const }),
  };
}

/** (E4) */
function isOtherWake({ metadata }: TodoRecord, before: TodoRecord | undefined): boolean {
  return before !== undefined && before.metadata["resume_when"] !== metadata["resume_when"];
}

function isAnew({ text, status }: TodoRecord, before: TodoRecord | undefined): boolean {
  return before !== undefined && (before.text !== text || (before.status !== "open" && status === "open"));
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

/** What is not loaded was one when it was last known. */
function isOpenGate(state: Foldable, id: TodoId): boolean {
  const gate = state.todos.get(id);
  return gate === undefined || asks(gate);
}

function asks(gate: TodoRecord): boolean {
  return !isDone(gate) && !gate.archived;
}

/** (E3) */
function isGap(todo: TodoRecord, before: TodoRecord | undefined): boolean {
  if (before === undefined || !isDone(todo) || kindOf(todo) !== "work" || namesContinuation(todo.metadata)) return false;
  return !isDone(before) || before.gap === true;
}

interface Moved {
  readonly before: TodoRecord | undefined;
  readonly after: TodoRecord | undefined;
}

/** (E1) Those that need what changed, and those that it covers or covered. */
function tellOthers(state: Foldable, links: TodoLinks, { id, before, after }: Moved & { readonly id: TodoId }): void {
  const covers = coveredBy(after);
  const settled = isDone(before) === isDone(after) && before !== undefined && after !== undefined;
  for (const other of new Set([...(settled ? [] : links.waitersOf(id)), ...coveredBy(before), ...covers])) {
    const todo = state.todos.get(other);
    if (todo === undefined) continue;
    hold(state, todo, { id, holds: needsOf(todo).includes(id) ? !isDone(after) : covers.includes(other) });
  }
}

function coveredBy(gate: TodoRecord | undefined): readonly TodoId[] {
  return gate !== undefined && asks(gate) ? coversByName(gate) : [];
}

function hold(state: Foldable, todo: TodoRecord, { id, holds }: { readonly id: TodoId; readonly holds: boolean }): void {
  if ((todo.waits_for ?? []).includes(id) === holds) return;
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
