/**
 * What each event does to a goal's head and todos: the one fold, live and in a rebuild.
 *
 * Does not own: whether the event was allowed; a recorded event is folded, never judged. What happens to todos and what
 * waits for them (`evolve-todo.ts`), to leases (`evolve-lease.ts`), to turns and spending (`evolve-turn.ts`).
 *
 * G2  The result depends on the draft and the event alone, key order included: a rebuild gives the same bytes.
 * G3  Folding never throws on a recorded journal; an event about a todo that is not there changes nothing.
 */
import type { GoalEvent, RunFacts } from "../events.ts";
import type { TodoId, TurnId } from "../id.ts";
import { deliveredRun } from "../runs/delivered.ts";
import { speaksForGoal } from "../runs/speaks.ts";
import { eventBytes } from "./event-bytes.ts";
import { foldLease } from "./evolve-lease.ts";
import { changeTodo, type Foldable, putTodo, removeTodo, withPlanSeq } from "./evolve-todo.ts";
import { accountable, foldTurn } from "./evolve-turn.ts";
import { type GoalHead, HEAD_BEGINNING, type Lifecycle, type RecordedRun } from "./head.ts";

export type { Foldable };

export function evolve(state: Foldable, event: GoalEvent): void {
  if (event.type === "goal.opened") open(state, event);
  else if (state.head !== null) fold(state, state.head, event);
}

function ofRun({ turn_instance_id, todo_id }: RunFacts): { readonly turn_id: TurnId | null; readonly todo_id: TodoId | null } {
  return { turn_id: turn_instance_id ?? null, todo_id: todo_id ?? null };
}

/** They change nothing that is known of the plan. */
const BESIDE_THE_PLAN: ReadonlySet<GoalEvent["type"]> = new Set<GoalEvent["type"]>([
  "run.recorded",
  "lease.renewed",
  "turn.decided",
  "turn.spent",
  "turn.voided",
  "evidence.recorded",
  "runtime.measured",
]);

function fold(state: Foldable, head: GoalHead, event: GoalEvent): void {
  const intent_seq = BESIDE_THE_PLAN.has(event.type) ? head.intent_seq : event.seq;
  const runtime_bytes = head.runtime_bytes + bytesOf(event);
  applyTo(state, { ...head, seq: event.seq, last_at: event.at, intent_seq, runtime_bytes }, event);
}

/** About what its row and its blob take. */
function bytesOf(event: GoalEvent): number {
  const blob = event.type === "evidence.recorded" ? (event.data.output?.bytes ?? 0) : 0;
  return eventBytes(event) + blob;
}

function open(state: Foldable, event: Extract<GoalEvent, { type: "goal.opened" }>): void {
  for (const id of state.todos.keys()) state.touched.add(id);
  state.todos.clear();
  state.links = undefined;
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
    ...HEAD_BEGINNING,
    fence: event.data.fence ?? 0,
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
    case "todo.closed":
    case "gate.decided":
    case "monitor.polled":
      changeTodo(state, withPlanSeq(head, event), event.data);
      return;
    case "todo.withdrawn":
      removeTodo(state, head, event.data.todo_id);
      return;
    case "run.recorded":
      state.head = recordRun(deliveredRun(event.data) ? accountable(head, event, ofRun(event.data)) : head, event);
      return;
    case "runtime.measured":
      state.head = { ...head, runtime_bytes: event.data.bytes };
      return;
    default:
      applyRest(state, head, event);
  }
}

function applyRest(state: Foldable, head: GoalHead, event: GoalEvent): void {
  if (foldLease(state, head, event) || foldTurn(state, head, event)) return;
  state.head = { ...head, lifecycle: lifecycleAfter(head.lifecycle, event) };
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
