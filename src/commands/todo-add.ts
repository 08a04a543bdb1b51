/**
 * `todo add`: a todo more, or an open one of the same words brought up to date.
 *
 * A1  The same words twice are one todo, whoever says them at the same moment.
 * A2  Under one idempotency key one todo is added, also when it was closed since; another request with that key is refused.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { newTodo } from "../core/goal/new-todo.ts";
import { differing, patchedTodo } from "../core/goal/todo-change.ts";
import { demandFlaw, roleFor } from "../core/goal/todo-demands.ts";
import { todoText } from "../core/goal/todo-text.ts";
import { coversByName, excludedFrom, needsOf, ownerOf } from "../core/goal/todo-traits.ts";
import { type MetadataPatch, metadataPatch, patched } from "../core/goal/todo-words.ts";
import type { TodoId } from "../core/id.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import type { TodoRole } from "../core/plan/plan.ts";
import { type BadInput, done, type Refusal, type Reply, refuse, reject } from "../core/result.ts";
import { type TodoWritePayload, todoWritePayload } from "../core/show/todo.ts";
import type { Receipt } from "../ports/store.ts";
import type { TodoAddRequest } from "./app-todos.ts";
import { askingOn } from "./todo-asking.ts";
import { addingBar } from "./todo-limits.ts";
import type { WritingWorkspace } from "./workspace.ts";
import {
  type Asking,
  lackingFor,
  type Step,
  standing,
  strangerIn,
  type TodoState,
  type TodosRequest,
  writeTodosOnce,
} from "./write-todos.ts";

export async function todoAdd(workspace: WritingWorkspace, request: TodoAddRequest): Promise<Reply<TodoWritePayload>> {
  const asking = await askingOn(workspace, request);
  if (asking.kind !== "done") return asking;
  const wanted = wantedTodo(workspace, asking.value, request);
  if (wanted.kind !== "done") return wanted;
  const outcome: Outcome = { todo_id: wanted.value.todo_id, already: false };
  const written = await writeTodosOnce(workspace, asking.value, {
    todos: [wanted.value.todo_id],
    same_text: { role: wanted.value.role, text: wanted.value.text },
    step: stepFor(asking.value, wanted.value, outcome),
    idempotency: onceOnly(workspace, asking.value, { request, wanted: wanted.value }),
  });
  if (written.kind === "replayed") return await addedBefore(workspace, request, written.receipt);
  if (written.kind !== "done") return written;
  const { draft, events, warnings } = written.value;
  return done(
    todoWritePayload({
      goal_id: draft.goal_id,
      todo: standing(draft, outcome.todo_id),
      next: [],
      added: !outcome.already,
      changed: events.length > 0,
      already_exists: outcome.already,
      dry_run: request.dryRun,
      warnings,
    }),
  );
}

interface Told {
  readonly request: TodoAddRequest;
  readonly wanted: Wanted;
}

/** (A2) */
function onceOnly({ digest }: WritingWorkspace, { agent }: Asking, { request, wanted }: Told): TodosRequest["idempotency"] {
  const { idempotencyKey = null } = request;
  if (idempotencyKey === null) return null;
  const { role, text, status, patch } = wanted;
  const fingerprint = digest.sha256(JSON.stringify({ agent, role, text, status, patch }));
  return { key: `todo ${idempotencyKey}`, fingerprint, proves: "todo.added" };
}

/** (A2) */
async function addedBefore(
  { store }: WritingWorkspace,
  { dryRun: dry_run }: TodoAddRequest,
  { goal_id, generation, seq }: Receipt,
): Promise<Reply<TodoWritePayload>> {
  const query = { goal_id, generation, type: "todo.added", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const [event] = await store.events(query);
  const id = event?.type === "todo.added" ? event.data.todo.todo_id : null;
  const { todos } = await store.load({ goal_id, todos: id === null ? "none" : [id], base: "none" });
  const todo = id === null ? undefined : todos.get(id);
  if (todo === undefined) return refuse("receipt_without_todo", "What was added under this key is no longer there.");
  const unchanged = { added: false, changed: false, already_exists: true, idempotent_replay: true } as const;
  return done(todoWritePayload({ goal_id, todo, next: [], ...unchanged, dry_run, warnings: [] }));
}

interface Wanted {
  readonly todo_id: TodoId;
  readonly role: TodoRole;
  readonly text: string;
  readonly status: "open" | "blocked" | "deferred";
  readonly patch: MetadataPatch;
}

/** What the transaction found out. */
interface Outcome {
  todo_id: TodoId;
  already: boolean;
}

function wantedTodo({ ids }: WritingWorkspace, { registered }: Asking, request: TodoAddRequest): Reply<Wanted> {
  const text = todoText(request.text, request.priority);
  if (text.kind !== "done") return text;
  const patch = metadataPatch(request.words, registered.goal.registered_agents);
  if (patch.kind !== "done") return patch;
  const role = roleFor(request.role, patch.value["task_class"] ?? null);
  if (role.kind !== "done") return role;
  const { value } = text;
  return done({ todo_id: ids.todoId(), role: role.value, text: value, status: request.status ?? "open", patch: patch.value });
}

function stepFor(asking: Asking, wanted: Wanted, outcome: Outcome): Step {
  return (state) => {
    const same = [...state.todos.values()].find((todo) => isSame(todo, wanted));
    outcome.already = same !== undefined;
    outcome.todo_id = same?.todo_id ?? wanted.todo_id;
    const todo = same === undefined ? fresh(wanted, state) : patchedTodo(same, wanted.patch);
    const flaw = todoFlaw(asking, state, todo);
    if (flaw !== null) return flaw;
    if (same !== undefined) return changes(asking, same, todo);
    return addingBar(asking.registered, { head: state.head, added: [todo], closes: 0 }) ?? [{ kind: "add-todo", todo }];
  };
}

/** (A1) */
function isSame(todo: TodoRecord, { role, text }: Wanted): boolean {
  return todo.role === role && todo.text === text && todo.status === "open" && !todo.archived;
}

function fresh({ todo_id, role, text, status, patch }: Wanted, { head, at }: TodoState): TodoRecord {
  const metadata = { ...patched({}, patch), ...askedAt(role, at) };
  return newTodo({ todo_id, role, text, priority: null, status, metadata }, head);
}

/** A question is reminded of from then on. */
function askedAt(role: TodoRole, at: Instant): TodoRecord["metadata"] {
  return role === "user" ? { asked_at: toRunTime(at) } : {};
}

/** What keeps a todo from being written as it would be; what it needs has to be there. */
export function todoFlaw(
  { registered }: Asking,
  state: TodoState,
  todo: TodoRecord,
): BadInput | Refusal | ReturnType<typeof lackingFor> {
  const flaw = demandFlaw(todo, registered.goal);
  if (flaw !== null) return flaw;
  const owner = ownerOf(todo);
  if (owner !== null && excludedFrom(todo).includes(owner))
    return reject("agent_excluded", `${owner} cannot both have claimed the todo and be excluded from it.`);
  const named = [...needsOf(todo), ...coversByName(todo)];
  return lackingFor(state, named) ?? strangerIn(registered, state.todos, named);
}

function changes({ agent, turn }: Asking, before: TodoRecord, after: TodoRecord): readonly GoalCommand[] {
  const fence = { agent_id: agent, turn_id: turn, epoch: null, key: null, version: null };
  return [{ kind: "change-todo", todo_id: before.todo_id, fields: differing(after, before), fence }];
}
