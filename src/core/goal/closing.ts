/**
 * What a todo becomes when it is closed, and what then happens to those that wait for it.
 *
 * Does not own: whether it may be closed (`todo.ts`, `gate.ts`).
 *
 * W1  What comes next, or why nothing does, is written onto the todo: its state file tells it without the journal.
 * W2  Nothing open waits for work that was rejected: it is blocked with that reason, and whoever held it holds it no more.
 */
import type { CloseOutcome, Continuation, GoalFact, TodoFields, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { type Instant, toRunTime } from "../instant.ts";
import { leaseOf } from "./fence.ts";
import type { GoalHead } from "./head.ts";
import type { LeaseState } from "./lease.ts";
import { needsOf } from "./todo-traits.ts";

interface Closing {
  readonly outcome: CloseOutcome;
  readonly next: Continuation;
  /** What else changes with it. */
  readonly fields: TodoFields;
  readonly now: Instant;
}

/** (W1) */
export function closedFields(todo: TodoRecord, { outcome, next, fields, now }: Closing): TodoFields {
  const metadata = {
    ...(fields.metadata ?? todo.metadata),
    ...(outcome !== "done" && { outcome }),
    ...continuation(outcome, next),
    completed_at: toRunTime(now),
  };
  return { ...fields, status: "done", metadata };
}

function continuation(outcome: CloseOutcome, next: Continuation): TodoRecord["metadata"] {
  switch (next.kind) {
    case "successors":
      return { [outcome === "superseded" ? "superseded_by" : "successor_todo_ids"]: next.todo_ids.join(",") };
    case "none":
      return { no_followup: "true", reason: next.reason };
    case "open":
      return {};
  }
}

export function isUnfinished(todo: TodoRecord): boolean {
  return todo.status !== "done" && !todo.archived;
}

/** (W2) `state.todos` holds those that wait for what is in `closed`. */
export function blockWaiters(state: LeaseState, closed: ReadonlySet<TodoId>): readonly GoalFact[] {
  return [...state.todos.values()]
    .filter((todo) => !closed.has(todo.todo_id) && isUnfinished(todo) && needsOf(todo).some((id) => closed.has(id)))
    .flatMap((todo) => blockedFor(state, todo, `it needs ${needsOf(todo).find((id) => closed.has(id))}, which was rejected`));
}

/** Whoever held it holds it no more. */
export function blockedFor({ head }: Pick<LeaseState, "head">, todo: TodoRecord, reason: string): readonly GoalFact[] {
  const { todo_id, status } = todo;
  const metadata = { ...todo.metadata, reason };
  const fields = status === "blocked" ? { metadata } : { status: "blocked" as const, metadata };
  return [{ type: "todo.changed", data: { todo_id, fields, source: "command" } }, ...endOfLease(head, todo_id)];
}

export function isPutOff({ status }: TodoFields): boolean {
  return status === "blocked" || status === "deferred";
}

/** Work that is put off is nobody's. It ends behind the change, so that its claim does not come back with that. */
export function endOfLease(head: Pick<GoalHead, "leases">, todo_id: TodoId): readonly GoalFact[] {
  const lease = leaseOf(head, todo_id);
  return lease === null ? [] : [{ type: "lease.freed", data: { todo_id, epoch: lease.epoch, reason: "withdrawn" } }];
}
