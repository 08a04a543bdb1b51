/**
 * Which facts follow when a todo is added, changed, closed or reopened by a command.
 *
 * Does not own: hand edits of the state file (`plan.ts`), leases (`lease.ts`), answers of a person (`gate.ts`), what a closed
 * todo looks like (`closing.ts`).
 *
 * O1  Work that is closed names what comes next, or says why nothing does.
 * O2  A closed todo has no lease left: it ends in the same write.
 * O3  Dependencies have no circle; what would close one is refused with its path.
 * O4  Closing what is closed already has no events, when it is asked in the same words.
 * O5  Only who may write about a todo changes it (`fence.ts`), and who comes late is told so, also when it is closed.
 */
import type { CloseOutcome, Continuation, GoalFact, TodoFields, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { type Refusal, refuse } from "../result.ts";
import { blockWaiters, closedFields, endOfLease, isPutOff } from "./closing.ts";
import { type Fence, fenceFlaw, lateFlaw, leaseOf } from "./fence.ts";
import type { Todos } from "./head.ts";
import type { LeaseState } from "./lease.ts";
import { kindOf, needsOf } from "./todo-traits.ts";

export type TodoCommand =
  | { readonly kind: "add-todo"; readonly todo: TodoRecord }
  | { readonly kind: "change-todo"; readonly todo_id: TodoId; readonly fields: TodoFields; readonly fence: Fence }
  | {
      readonly kind: "close-todo";
      readonly todo_id: TodoId;
      readonly outcome: CloseOutcome;
      readonly next: Continuation;
      readonly fields: TodoFields;
      readonly fence: Fence;
    };

export function handleTodo(state: LeaseState, command: TodoCommand): readonly GoalFact[] | Refusal {
  switch (command.kind) {
    case "add-todo":
      return addTodo(state, command.todo);
    case "change-todo":
      return changeTodo(state, command);
    case "close-todo":
      return closeTodo(state, command);
  }
}

function addTodo(state: LeaseState, todo: TodoRecord): readonly GoalFact[] | Refusal {
  if (state.todos.has(todo.todo_id)) {
    return refuse("todo_exists", `There is a todo ${todo.todo_id} already.`, { details: { todo_id: todo.todo_id } });
  }
  return circleFlaw(state.todos, todo) ?? [{ type: "todo.added", data: { todo, source: "command" } }];
}

function changeTodo(
  state: LeaseState,
  { todo_id, fields, fence }: Extract<TodoCommand, { kind: "change-todo" }>,
): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return unknownTodo(todo_id);
  if (fields.status === "done") throw new Error("a todo is closed by close-todo");
  const flaw = fenceFlaw(state.head, todo, { fence, now: state.now }) ?? circleFlaw(state.todos, { ...todo, ...fields });
  if (flaw !== null) return flaw; // (O5)
  const moved = Object.entries(fields).filter(
    ([key, value]) => JSON.stringify(todo[key as keyof TodoRecord]) !== JSON.stringify(value),
  );
  if (moved.length === 0) return [];
  return [
    { type: "todo.changed", data: { todo_id, fields: Object.fromEntries(moved), source: "command" } },
    ...(isPutOff(fields) ? endOfLease(state.head, todo_id) : []),
  ];
}

function closeTodo(
  state: LeaseState,
  { todo_id, outcome, next, fields, fence }: Extract<TodoCommand, { kind: "close-todo" }>,
): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return unknownTodo(todo_id);
  if (todo.status === "done") return lateFlaw(todo, fence) ?? closedBefore(todo, outcome); // (O4, O5)
  if (kindOf(todo) === "gate" && outcome === "done") {
    return refuse("gate_needs_decision", `${todo_id} is a question to a person: it is answered, not done.`, {
      fix: `loopx gate approve ${todo_id}`,
      details: { todo_id },
    });
  }
  const flaw = fenceFlaw(state.head, todo, { fence, now: state.now });
  if (flaw !== null) return flaw; // (O5)
  if (next.kind === "open" && kindOf(todo) === "work") return continuationRequired(todo_id); // (O1)
  const lease = leaseOf(state.head, todo_id);
  const freed: readonly GoalFact[] =
    lease === null ? [] : [{ type: "lease.freed", data: { todo_id, epoch: lease.epoch, reason: "completed" } }]; // (O2)
  const closed = closedFields(todo, { outcome, next, fields, now: state.now });
  return [
    ...freed,
    { type: "todo.closed", data: { todo_id, outcome, next, fields: closed, source: "command" } },
    ...(outcome === "rejected" ? blockWaiters(state, new Set([todo_id])) : []),
  ];
}

function closedBefore(todo: TodoRecord, outcome: CloseOutcome): readonly GoalFact[] | Refusal {
  const before = todo.metadata["outcome"] ?? "done";
  if (before === outcome) return [];
  return refuse("todo_closed", `${todo.todo_id} was closed before as ${before}.`, {
    details: { todo_id: todo.todo_id, outcome: before },
  });
}

function continuationRequired(todo_id: TodoId): Refusal {
  return refuse("continuation_required", `Say what comes after ${todo_id}, or why nothing does.`, {
    details: { todo_id },
    fix: '--next "…", or --no-follow-up --reason "…"',
  });
}

export function unknownTodo(todo_id: TodoId): Refusal {
  return refuse("unknown_todo", `The goal has no todo ${todo_id}.`, { details: { todo_id }, fix: "loopx todo list" });
}

/** (O3) As far as the todos are loaded: a new link can only close a circle through what it names. */
function circleFlaw(todos: Todos, todo: TodoRecord): Refusal | null {
  const path = pathBack(todos, { from: todo, to: todo.todo_id, seen: new Set() });
  if (path === null) return null;
  const circle = [todo.todo_id, ...path];
  return refuse("dependency_cycle", `That would be a circle: ${circle.join(" → ")}.`, {
    details: { todo_id: todo.todo_id, path: circle },
  });
}

interface Search {
  readonly from: TodoRecord;
  readonly to: TodoId;
  readonly seen: Set<TodoId>;
}

function pathBack(todos: Todos, { from, to, seen }: Search): readonly TodoId[] | null {
  for (const id of needsOf(from)) {
    if (id === to) return [id];
    const next = todos.get(id);
    if (next === undefined || seen.has(id)) continue;
    seen.add(id);
    const rest = pathBack(todos, { from: next, to, seen });
    if (rest !== null) return [id, ...rest];
  }
  return null;
}
