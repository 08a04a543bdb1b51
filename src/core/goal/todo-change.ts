/**
 * What a todo says after a command changed it, and why it may not be changed so.
 *
 * Does not own: whose todo it is (`fence.ts`), what it needs to say (`todo-demands.ts`), closing it (`todo.ts`).
 *
 * U1  Nothing is closed here, and nothing that was answered or archived is opened again.
 * U2  What a todo was put off for goes when it is opened again.
 * U3  An owner that holds a lease is changed by that lease.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoFields, TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import { priorityOf, withPriority } from "../plan/priority.ts";
import { type BadInput, done, type Refusal, refuse } from "../result.ts";
import { isLive, leaseOf } from "./fence.ts";
import type { GoalHead } from "./head.ts";
import { roleFor } from "./todo-demands.ts";
import { kindOf } from "./todo-traits.ts";
import { type MetadataPatch, patched } from "./todo-words.ts";

export interface TodoChange {
  readonly text: string | null;
  readonly priority: number | null;
  readonly status: "open" | "blocked" | "deferred" | null;
  readonly patch: MetadataPatch;
}

interface Standing {
  readonly head: GoalHead;
  readonly at: Instant;
}

/** Null: it may be changed so, as far as this file knows. */
export function changeFlaw(standing: Standing, todo: TodoRecord, change: TodoChange): Refusal | BadInput | null {
  return statusFlaw(todo, change) ?? claimFlaw(standing, todo, change) ?? classFlaw(todo, change);
}

/** With what was said; what it says of its class is its class. */
export function patchedTodo(todo: TodoRecord, patch: MetadataPatch): TodoRecord {
  return { ...todo, task_class: patch["task_class"] ?? todo.task_class, metadata: patched(todo.metadata, patch) };
}

export function changedTodo(todo: TodoRecord, change: TodoChange): TodoRecord {
  const after = patchedTodo(todo, change.patch);
  const text = textAfter(todo, change);
  const metadata = isReopened(todo, change) ? afresh(after.metadata, todo, change.patch) : after.metadata;
  return { ...after, text, priority: priorityOf(text), status: change.status ?? todo.status, metadata };
}

/** Only what differs: a lease may end with the change, and what follows from that is not said here. */
export function differing(after: TodoRecord, before: TodoRecord): TodoFields {
  const fields = (["text", "priority", "status", "task_class", "metadata"] as const).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, after[field]]));
}

function textAfter(todo: TodoRecord, { text, priority }: TodoChange): string {
  if (text !== null) return text;
  return priority === null ? todo.text : withPriority(todo.text, priority);
}

function isReopened(todo: TodoRecord, { status }: TodoChange): boolean {
  return status === "open" && todo.status !== "open";
}

/** Said of the end of a todo, not of the todo. */
const OF_THE_END = [
  "completed_at",
  "completion_continuation",
  "completion_turn_key",
  "no_followup",
  "outcome",
  "successor_todo_ids",
  "superseded_by",
];

/** (U2) */
function afresh(metadata: TodoRecord["metadata"], todo: TodoRecord, patch: MetadataPatch): TodoRecord["metadata"] {
  const gone = [...OF_THE_END, "reason", ...(todo.status === "deferred" ? ["resume_when"] : [])].filter((key) => !(key in patch));
  return patched(metadata, Object.fromEntries(gone.map((key) => [key, null])));
}

/** (U1) */
function statusFlaw(todo: TodoRecord, { status }: TodoChange): Refusal | null {
  const { todo_id } = todo;
  if (status === null || status === todo.status) return null;
  if (todo.archived)
    return refuse("todo_archived", `${todo_id} stands in the archive: what is there is closed work. Add a new todo.`, {
      details: { todo_id },
      fix: loopxCommand("todo", "add", "--text", "…"),
    });
  if (kindOf(todo) === "gate") return ofGate(todo, status);
  if (todo.status !== "done" || status === "open") return null;
  return refuse("todo_closed", `${todo_id} is done: only an open todo is put off.`, {
    details: { todo_id, status: todo.status },
    fix: loopxCommand("todo", "reopen", "--todo-id", todo_id),
  });
}

function ofGate({ todo_id, status: before, metadata }: TodoRecord, status: "open" | "blocked" | "deferred"): Refusal | null {
  if (before === "done") {
    const { decision_outcome = "done", completed_at = null, reason = null } = metadata;
    return refuse("gate_decided", `${todo_id} was answered before: ${decision_outcome}. Ask anew with a new one.`, {
      details: { todo_id, decision: { outcome: decision_outcome, at: completed_at, reason } },
    });
  }
  if (status === "open") return null;
  return refuse("gate_needs_decision", `${todo_id} is a question to a person: it is answered or deferred as one.`, {
    details: { todo_id },
    fix: loopxCommand("gate", "defer", todo_id),
  });
}

/** (U3) */
function claimFlaw({ head, at }: Standing, todo: TodoRecord, { patch }: TodoChange): Refusal | null {
  const lease = leaseOf(head, todo.todo_id);
  if (!("claimed_by" in patch) || lease === null || !isLive(lease, at) || patch["claimed_by"] === lease.owner) return null;
  return refuse(
    "todo_lease_conflict",
    `${todo.todo_id} is leased to ${lease.owner} until ${lease.expires_at}: the lease is released or moved.`,
    {
      details: { todo_id: todo.todo_id, holder: lease.owner, current_epoch: lease.epoch, expires_at: lease.expires_at },
      fix: loopxCommand("lease", "release", "--todo-id", todo.todo_id),
    },
  );
}

function classFlaw(todo: TodoRecord, { patch }: TodoChange): BadInput | null {
  const task_class = patch["task_class"] ?? null;
  const role = task_class === null ? done(todo.role) : roleFor(todo.role, task_class);
  return role.kind === "bad_input" ? role : null;
}
