/**
 * `todo complete` and `todo supersede`: the end of a todo, with what comes after it, in one transaction.
 *
 * Does not own: finishing a turn with it (`done.ts`), answering a gate (`gate-complete.ts`), what may not end (`core/goal/todo-end.ts`),
 * acceptance checks (`end-checked.ts`).
 *
 * E1  Where several agents work, work is closed by a named one.
 * E2  Closing again changes nothing, and adds nothing.
 * E4  What takes the place of a todo stands where that stood: claim, priority, and what it unblocks.
 */
import type { Continuation } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { closedMetadata, endFlaw, type TodoEnd } from "../core/goal/todo-end.ts";
import { type MetadataPatch, metadataPatch } from "../core/goal/todo-words.ts";
import { parseTodoId, type TodoId } from "../core/id.ts";
import { toRunTime } from "../core/instant.ts";
import { type BadInput, done, type Refusal, type Reply, reject } from "../core/result.ts";
import { type TodoWritePayload, todoWritePayload } from "../core/show/todo.ts";
import type { TodoCompleteRequest, TodoSupersedeRequest } from "./app-todos.ts";
import { type Checking, checkedEnd, endChecked, lateEnd } from "./end-checked.ts";
import { badTodoId } from "./goal-of-todo.ts";
import { type AskingAbout, askingAbout, ownerRequired } from "./todo-asking.ts";
import { addingBar } from "./todo-limits.ts";
import { continuationOf, nextRecords, type ReadyTodo, readyNext } from "./todo-next.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Lacking, lackingFor, standing, strangerIn, type TodoState, writeTodos } from "./write-todos.ts";

interface Ending extends TodoEnd {
  readonly ready: readonly ReadyTodo[];
  /** Of what takes its place, from the todo that ends. */
  readonly inherited: readonly string[];
  readonly replacement: TodoId | null;
  /** Of work that is done; null: what ends otherwise is not checked. */
  readonly checking: Checking | null;
}

export async function todoComplete(workspace: WritingWorkspace, request: TodoCompleteRequest): Promise<Reply<TodoWritePayload>> {
  if (request.decisionOutcome !== null) return await (await import("./gate-complete.ts")).completeGate(workspace, request);
  const asking = await askingAbout(workspace, request);
  if (asking.kind !== "done") return asking;
  const ready = readyEnd(workspace, asking.value, request);
  if (ready.kind !== "done") return ready;
  const next = continuationOf(ready.value.ready, request.next.noFollowUp, reasonIn(ready.value.patch));
  if (next.kind === "bad_input") return next;
  const ending = { ...ready.value, outcome: "done", next, inherited: [], replacement: null } as const;
  return await endChecked(workspace, asking.value, (checking) => end(workspace, asking.value, { ...ending, checking }));
}

export async function todoSupersede(
  workspace: WritingWorkspace,
  request: TodoSupersedeRequest,
): Promise<Reply<TodoWritePayload>> {
  const asking = await askingAbout(workspace, request);
  if (asking.kind !== "done") return asking;
  const replacement = request.supersededBy === null ? null : parseTodoId(request.supersededBy);
  if (request.supersededBy !== null && replacement === null) return badTodoId(request.supersededBy);
  const ready = readyEnd(workspace, asking.value, request);
  if (ready.kind !== "done") return ready;
  if (replacement !== null && ready.value.ready.length > 0)
    return reject("option_conflict", "--superseded-by names what takes its place, and --next says something else.");
  const ids = [...(replacement === null ? [] : [replacement]), ...ready.value.ready.map(({ todo_id }) => todo_id)];
  const next: Continuation =
    ids.length > 0
      ? { kind: "successors", todo_ids: ids }
      : { kind: "none", reason: ready.value.patch["reason"] ?? "superseded" };
  return await end(workspace, asking.value, {
    ...ready.value,
    outcome: "superseded",
    next,
    inherited: INHERITED,
    replacement,
    checking: null,
  });
}

/** (E4) */
const INHERITED = [
  "task_class",
  "claimed_by",
  "bound_agent",
  "goal_bound",
  "excluded_agents",
  "unblocks_todo_id",
  "blocks_agent",
  "global_gate",
  "decision_scope",
  "required_decision_scopes",
];

type Said = Pick<TodoCompleteRequest, "words" | "next">;

function readyEnd(
  workspace: WritingWorkspace,
  { registered }: AskingAbout,
  { words, next }: Said,
): Reply<Pick<Ending, "patch" | "ready">> {
  const patch = metadataPatch(words, registered.goal.registered_agents);
  if (patch.kind !== "done") return patch;
  const ready = readyNext(workspace, registered, next);
  return ready.kind === "done" ? done({ patch: patch.value, ready: ready.value }) : ready;
}

/** The reference takes any of the three as the reason that nothing comes next. */
function reasonIn(patch: MetadataPatch): string | null {
  return patch["reason"] ?? patch["note"] ?? patch["evidence"] ?? null;
}

async function end(workspace: WritingWorkspace, asking: AskingAbout, ending: Ending): Promise<Reply<TodoWritePayload>> {
  const written = await writeTodos(workspace, asking, {
    todos: ending.replacement === null ? [asking.todo_id] : [asking.todo_id, ending.replacement],
    step: (state) => {
      const commands = stepOf(asking, state, ending);
      const todo = state.todos.get(asking.todo_id);
      if ("kind" in commands || ending.checking === null || todo === undefined) return commands;
      return checkedEnd(ending.checking, todo, commands);
    },
  });
  if (written.kind !== "done") return written;
  const { draft, events, warnings } = written.value;
  const closed = events.length > 0;
  return done(
    todoWritePayload({
      goal_id: draft.goal_id,
      todo: standing(draft, asking.todo_id),
      next: closed ? ending.ready.map(({ todo_id }) => standing(draft, todo_id)) : [],
      added: false,
      changed: closed,
      already_exists: false,
      dry_run: asking.dryRun,
      warnings,
    }),
  );
}

function stepOf(asking: AskingAbout, state: TodoState, ending: Ending): readonly GoalCommand[] | Refusal | BadInput | Lacking {
  const { registered, todo_id, fence, missing } = asking;
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return missing;
  const odd = todo.role === "agent" ? ownerRequired(asking) : null; // (E1)
  if (odd !== null && odd.kind !== "done") return odd;
  const flaw = lateEnd(state, todo, asking) ?? endFlaw(state.todos, todo, ending) ?? replacementFlaw(asking, state, ending);
  if (flaw !== null) return flaw;
  const closing = { kind: "close-todo", todo_id, outcome: ending.outcome, next: ending.next, fence } as const;
  if (todo.status === "done") return [{ ...closing, fields: {} }]; // (E2)
  const inherits = Object.fromEntries(Object.entries(todo.metadata).filter(([key]) => ending.inherited.includes(key)));
  const added = nextRecords(ending.ready, { todo, state, inherits });
  const bar = addingBar(registered, { head: state.head, added, closes: todo.status === "open" ? 1 : 0 });
  if (bar !== null) return bar;
  const metadata = closedMetadata(todo, ending, toRunTime(state.at));
  return [
    ...added.map((each) => ({ kind: "add-todo", todo: each }) as const),
    { ...closing, fields: { status: "done", metadata } },
  ];
}

function replacementFlaw(
  { registered, todo_id }: AskingAbout,
  state: TodoState,
  { replacement }: Ending,
): BadInput | Lacking | null {
  if (replacement === null) return null;
  if (replacement === todo_id) return reject("todo_id_invalid", `${todo_id} cannot take its own place.`);
  return lackingFor(state, [replacement]) ?? strangerIn(registered, state.todos, [replacement]);
}
