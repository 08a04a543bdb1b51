/**
 * What each event does to a goal's head and todos: the one fold, live and in a rebuild.
 *
 * Does not own: whether the event was allowed; a recorded event is folded, never judged.
 *
 * G2  The result depends on the draft and the event alone, key order included: a rebuild gives the same bytes.
 * G3  Folding never throws on a recorded journal; an event about a todo that is not there changes nothing.
 */
import type { GoalEvent, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { speaksForGoal } from "../runs/speaks.ts";
import type { GoalHead, Lifecycle, RecordedRun, TodoCounts } from "./head.ts";

/** The part of a draft that is folded; `evolve` changes it in place. */
export interface Foldable {
  head: GoalHead | null;
  readonly todos: Map<TodoId, TodoRecord>;
  readonly touched: Set<TodoId>;
}

export function evolve(state: Foldable, event: GoalEvent): void {
  if (event.type === "goal.opened") open(state, event);
  else if (state.head !== null) fold(state, state.head, event);
}

function fold(state: Foldable, head: GoalHead, event: GoalEvent): void {
  const intent_seq = event.type === "run.recorded" ? head.intent_seq : event.seq;
  applyTo(state, { ...head, seq: event.seq, last_at: event.at, intent_seq }, event);
}

function open(state: Foldable, event: Extract<GoalEvent, { type: "goal.opened" }>): void {
  for (const id of state.todos.keys()) state.touched.add(id);
  state.todos.clear();
  state.head = {
    goal_id: event.goal_id,
    generation: event.generation,
    seq: event.seq,
    opened_at: event.at,
    last_at: event.at,
    registry: event.data.registry,
    lifecycle: { kind: "active" },
    next_action: { entries: null, changed_at: event.at },
    intent_seq: event.seq,
    plan_seq: 0,
    todo_counts: { open: 0, blocked: 0, deferred: 0, done: 0, waiting_for_person: 0 },
    run_count: 0,
    latest_run: null,
    conflicts: [],
  };
}

function applyTo(state: Foldable, head: GoalHead, event: GoalEvent): void {
  switch (event.type) {
    case "plan.next_action_set":
      state.head = { ...withPlanSeq(head, event), next_action: { entries: event.data.entries, changed_at: event.at } };
      return;
    case "plan.conflict":
      state.head = { ...head, conflicts: [...without(head, event.data.field), { ...event.data, since: event.at }] };
      return;
    case "plan.conflict_settled":
      state.head = { ...head, conflicts: without(head, event.data.field) };
      return;
    case "todo.added":
      putTodo(state, withPlanSeq(head, event), event.data.todo);
      return;
    case "todo.changed":
      changeTodo(state, withPlanSeq(head, event), event);
      return;
    case "todo.withdrawn":
      removeTodo(state, head, event.data.todo_id);
      return;
    case "run.recorded":
      state.head = recordRun(head, event);
      return;
    default:
      state.head = { ...head, lifecycle: lifecycleAfter(head.lifecycle, event) };
  }
}

function lifecycleAfter(before: Lifecycle, event: GoalEvent): Lifecycle {
  switch (event.type) {
    case "goal.activated":
    case "restore.done":
      return { kind: "active" };
    case "goal.stopped":
      return { kind: "stopped", since: event.at, reason: event.data.reason };
    case "archive.started":
      return { kind: "archiving", since: event.at, ...event.data };
    case "archive.done":
      return { kind: "archived", since: event.at, target: event.data.target };
    case "restore.started":
      return { kind: "restoring", since: event.at, ...event.data };
    default:
      return before;
  }
}

function withPlanSeq(head: GoalHead, event: GoalEvent & { readonly data: { readonly source: "file" | "command" } }): GoalHead {
  return event.data.source === "command" ? { ...head, plan_seq: event.seq } : head;
}

function without(head: GoalHead, field: string): GoalHead["conflicts"] {
  return head.conflicts.filter((conflict) => conflict.field !== field);
}

function recordRun(head: GoalHead, event: Extract<GoalEvent, { type: "run.recorded" }>): GoalHead {
  const run: RecordedRun = {
    seq: event.seq,
    at: event.at,
    ...(event.agent_id === undefined ? {} : { agent_id: event.agent_id }),
    ...event.data,
  };
  return { ...head, run_count: head.run_count + 1, latest_run: speaksForGoal(run) ? run : head.latest_run };
}

function changeTodo(state: Foldable, head: GoalHead, event: Extract<GoalEvent, { type: "todo.changed" }>): void {
  const before = state.todos.get(event.data.todo_id);
  if (before === undefined) state.head = head;
  else putTodo(state, head, { ...before, ...event.data.fields });
}

function putTodo(state: Foldable, head: GoalHead, todo: TodoRecord): void {
  const before = state.todos.get(todo.todo_id);
  const counts = before === undefined ? head.todo_counts : count(head.todo_counts, before, -1);
  state.todos.set(todo.todo_id, todo);
  state.touched.add(todo.todo_id);
  state.head = { ...head, todo_counts: count(counts, todo, 1) };
}

function removeTodo(state: Foldable, head: GoalHead, id: TodoId): void {
  const before = state.todos.get(id);
  state.todos.delete(id);
  state.touched.add(id);
  state.head = before === undefined ? head : { ...head, todo_counts: count(head.todo_counts, before, -1) };
}

function count(counts: TodoCounts, todo: TodoRecord, step: 1 | -1): TodoCounts {
  const waits = todo.status === "open" && todo.role === "user" && !todo.archived;
  return {
    ...counts,
    [todo.status]: counts[todo.status] + step,
    waiting_for_person: counts.waiting_for_person + (waits ? step : 0),
  };
}
