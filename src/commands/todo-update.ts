/**
 * `todo update`, `block`, `defer`, `reopen`: what a todo says, and whether it can be taken up.
 *
 * U1  Nothing is closed here, and nothing that was answered or archived is opened again.
 * U2  What a todo was put off for goes when it is opened again.
 * U3  An owner that holds a lease is changed by that lease.
 * U4  Work that was closed without a word of what comes next gets it here.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { isLive, leaseOf } from "../core/goal/fence.ts";
import { roleFor } from "../core/goal/todo-demands.ts";
import { todoText } from "../core/goal/todo-text.ts";
import { kindOf } from "../core/goal/todo-traits.ts";
import { type MetadataPatch, metadataPatch, patched } from "../core/goal/todo-words.ts";
import { priorityOf, withPriority } from "../core/plan/priority.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type TodoWritePayload, todoWritePayload } from "../core/show/todo.ts";
import type { TodoStatusRequest, TodoUpdateRequest } from "./app-todos.ts";
import { fieldsOf, todoFlaw, updated } from "./todo-add.ts";
import { type AskingAbout, askingAbout } from "./todo-asking.ts";
import { addingBar } from "./todo-limits.ts";
import { continuationMetadata, continuationOf, nextRecords, type ReadyTodo, readyNext } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Lacking, standing, type TodoState, unknownTodoIn, writeTodos } from "./write-todos.ts";

export async function todoUpdate(workspace: WritingWorkspace, request: TodoUpdateRequest): Promise<Reply<TodoWritePayload>> {
  if (request.status === "done") return notDoneHere(request);
  const asking = await askingAbout(workspace, request);
  if (asking.kind !== "done") return asking;
  const change = changeFor(workspace, asking.value, request);
  return change.kind === "done" ? await write(workspace, asking.value, change.value) : change;
}

export async function todoSetStatus(workspace: WritingWorkspace, request: TodoStatusRequest): Promise<Reply<TodoWritePayload>> {
  const asking = await askingAbout(workspace, request);
  if (asking.kind !== "done") return asking;
  const patch = metadataPatch(request.words, asking.value.registered.goal.registered_agents);
  if (patch.kind !== "done") return patch;
  return await write(workspace, asking.value, { ...NO_CHANGE, patch: patch.value, status: request.status });
}

interface Change {
  readonly text: string | null;
  readonly priority: number | null;
  readonly status: "open" | "blocked" | "deferred" | null;
  readonly patch: MetadataPatch;
  readonly ready: readonly ReadyTodo[];
  readonly noFollowUp: boolean;
}

const NO_CHANGE: Change = { text: null, priority: null, status: null, patch: {}, ready: [], noFollowUp: false };

function changeFor(workspace: WritingWorkspace, { registered }: AskingAbout, request: TodoUpdateRequest): Reply<Change> {
  const text = request.text === null ? done(null) : todoText(request.text, request.priority);
  if (text.kind !== "done") return text;
  const patch = metadataPatch(request.words, registered.goal.registered_agents);
  if (patch.kind !== "done") return patch;
  if (request.clearClaim && "claimed_by" in patch.value)
    return reject("option_conflict", "--clear-claim says that nobody has it, and --claimed-by who does.");
  const ready = readyNext(workspace, registered, request.next);
  if (ready.kind !== "done") return ready;
  const { priority, status, next } = request;
  return done({
    text: text.value,
    priority,
    status: status === "done" ? null : status,
    patch: { ...patch.value, ...(request.clearClaim && { claimed_by: null }) },
    ready: ready.value,
    noFollowUp: next.noFollowUp,
  });
}

async function write(workspace: WritingWorkspace, asking: AskingAbout, change: Change): Promise<Reply<TodoWritePayload>> {
  const written = await writeTodos(workspace, asking, {
    todos: [asking.todo_id],
    step: (state) => stepOf(asking, state, change),
  });
  if (written.kind !== "done") return written;
  const { draft, events, warnings } = written.value;
  const { dryRun: dry_run } = asking;
  return done(
    todoWritePayload({
      goal_id: draft.goal_id,
      todo: standing(draft, asking.todo_id),
      next: change.ready.map(({ todo_id }) => standing(draft, todo_id)),
      added: false,
      changed: events.length > 0,
      already_exists: false,
      dry_run,
      warnings,
    }),
  );
}

function stepOf(asking: AskingAbout, state: TodoState, change: Change): readonly GoalCommand[] | Refusal | BadInput | Lacking {
  const { registered, todo_id, fence } = asking;
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return unknownTodoIn(registered, todo_id);
  const flaw = statusFlaw(todo, change) ?? claimFlaw(state, todo, change) ?? classFlaw(todo, change);
  if (flaw !== null) return flaw;
  const after = changed(todo, change);
  if ("kind" in after) return after;
  const odd = todoFlaw(asking, state, after);
  if (odd !== null) return odd;
  const added = nextRecords(change.ready, { todo, state });
  const reopens = todo.status === "done" && after.status === "open" ? [after] : [];
  const bar = addingBar(registered, { head: state.head, added: [...added, ...reopens], closes: 0 });
  if (bar !== null) return bar;
  return [
    ...added.map((each) => ({ kind: "add-todo", todo: each }) as const),
    { kind: "change-todo", todo_id, fields: fieldsOf(after, todo), fence },
  ];
}

function changed(todo: TodoRecord, change: Change): TodoRecord | BadInput {
  const said = textAfter(todo, change);
  const { reason = null } = change.patch;
  const next = continuationOf(change.ready, change.noFollowUp, reason ?? todo.metadata["reason"] ?? null);
  if (next.kind === "bad_input") return next;
  if (next.kind !== "open" && todo.status !== "done") {
    return reject("todo_not_done", "What comes next is said when the todo is completed.", {
      fix: loopxCommand("todo", "complete", "--todo-id", todo.todo_id, "--next", "…"),
    });
  }
  const after = updated(todo, change.patch);
  const metadata = {
    ...(isReopened(todo, change) ? afresh(after.metadata, todo, change.patch) : after.metadata),
    ...continuationMetadata(next),
  };
  return { ...after, text: said, priority: priorityOf(said), status: change.status ?? todo.status, metadata };
}

function textAfter(todo: TodoRecord, { text, priority }: Change): string {
  if (text !== null) return text;
  return priority === null ? todo.text : withPriority(todo.text, priority);
}

function isReopened(todo: TodoRecord, { status }: Change): boolean {
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
function statusFlaw(todo: TodoRecord, { status }: Change): Refusal | null {
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
function claimFlaw({ head, at }: TodoState, todo: TodoRecord, { patch }: Change): Refusal | null {
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

function classFlaw(todo: TodoRecord, { patch }: Change): BadInput | null {
  const task_class = patch["task_class"] ?? null;
  const role = task_class === null ? done(todo.role) : roleFor(todo.role, task_class);
  return role.kind === "bad_input" ? role : null;
}

function notDoneHere({ todoId, goalId }: TodoUpdateRequest): Refusal {
  const goal = goalId === null ? [] : ["--goal-id", goalId];
  return refuse("use_complete", "A todo is closed by completing it, with a word of what comes next.", {
    fix: loopxCommand("todo", "complete", ...goal, "--todo-id", todoId, "--next", "…"),
    details: { todo_id: todoId },
  });
}
