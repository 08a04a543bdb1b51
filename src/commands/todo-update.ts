/**
 * `todo update`, `block`, `defer`, `reopen`: what a todo says, and whether it can be taken up.
 *
 * Does not own: what a change makes of a todo, and what it may not (`core/goal/todo-change.ts`).
 *
 * U4  Work that was closed without a word of what comes next gets it here.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { changedTodo, changeFlaw, differing, type TodoChange } from "../core/goal/todo-change.ts";
import { continuationMetadata } from "../core/goal/todo-end.ts";
import { todoText } from "../core/goal/todo-text.ts";
import { metadataPatch } from "../core/goal/todo-words.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type TodoWritePayload, todoWritePayload } from "../core/show/todo.ts";
import type { TodoStatusRequest, TodoUpdateRequest } from "./app-todos.ts";
import { todoFlaw } from "./todo-add.ts";
import { type AskingAbout, askingAbout } from "./todo-asking.ts";
import { addingBar } from "./todo-limits.ts";
import { continuationOf, nextRecords, type ReadyTodo, readyNext } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Lacking, standing, type TodoState, writeTodos } from "./write-todos.ts";

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

interface Change extends TodoChange {
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
  const { registered, todo_id, fence, missing } = asking;
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return missing;
  const flaw = changeFlaw(state, todo, change);
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
    { kind: "change-todo", todo_id, fields: differing(after, todo), fence },
  ];
}

/** (U4) */
function changed(todo: TodoRecord, change: Change): TodoRecord | BadInput {
  const reason = change.patch["reason"] ?? todo.metadata["reason"] ?? null;
  const next = continuationOf(change.ready, change.noFollowUp, reason);
  if (next.kind === "bad_input") return next;
  if (next.kind !== "open" && todo.status !== "done") {
    return reject("todo_not_done", "What comes next is said when the todo is completed.", {
      fix: loopxCommand("todo", "complete", "--todo-id", todo.todo_id, "--next", "…"),
    });
  }
  const after = changedTodo(todo, change);
  return { ...after, metadata: { ...after.metadata, ...continuationMetadata(next) } };
}

function notDoneHere({ todoId, goalId }: TodoUpdateRequest): Refusal {
  const goal = goalId === null ? [] : ["--goal-id", goalId];
  return refuse("use_complete", "A todo is closed by completing it, with a word of what comes next.", {
    fix: loopxCommand("todo", "complete", ...goal, "--todo-id", todoId, "--next", "…"),
    details: { todo_id: todoId },
  });
}
