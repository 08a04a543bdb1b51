/** I4, I6 and "once": what is closed names what comes next, nothing open waits for what was rejected, nothing is done twice. */
import type { GoalEvent, TodoRecord } from "../../events.ts";
import { kindOf, needsOf } from "../../goal/todo-traits.ts";
import type { TodoId } from "../../id.ts";
import type { Ledger } from "../ledger.ts";
import { type Flaw, flaw, type Step } from "../step.ts";

type Closed = Extract<GoalEvent, { type: "todo.closed" }>;

/** Before the step is counted. */
export function closingFlaw({ events }: Step, { fold }: Ledger): Flaw | null {
  const done = new Set<TodoId>();
  for (const event of events) {
    if (event.type !== "todo.closed") continue;
    const { todo_id, next } = event.data;
    const todo = fold.todos.get(todo_id);
    if (todo?.status === "done" || done.has(todo_id)) return flaw("once", `${todo_id} was closed twice`);
    done.add(todo_id);
    if (todo !== undefined && kindOf(todo) === "work" && next.kind === "open")
      return flaw("I4", `${todo_id} was closed without a word of what comes next`);
  }
  return null;
}

const UNDER_WAY: ReadonlySet<string> = new Set(["done", "end", "poll", "renew", "release"]);

/** Work that was under way when the goal was stopped may still be reported (G6 of `goal/handle.ts`). */
export function stoppedFlaw({ request, refused }: Step): Flaw | null {
  if (refused !== "goal_stopped") return null;
  const isQuestion = request.kind === "open_turn" || (request.kind === "claim" && request.todo_id === null);
  return UNDER_WAY.has(request.kind) || isQuestion ? flaw("G6", `${request.kind} was refused because the goal is stopped`) : null;
}

/** After the step was counted. */
export function answeredFlaw({ events, request }: Step, { fold }: Ledger): Flaw | null {
  const closed = events.filter((event): event is Closed => event.type === "todo.closed");
  for (const { data } of closed) {
    const missing = data.next.kind === "successors" ? data.next.todo_ids.find((id) => !fold.todos.has(id)) : undefined;
    if (missing !== undefined)
      return flaw("I4", `${data.todo_id} names ${missing} as what comes next, and there is no such todo`);
  }
  const isWritten = request.kind === "done" && events.some(({ type }) => type === "turn.written");
  if (isWritten && !closed.some(({ data }) => data.todo_id === request.todo_id))
    return flaw("once", `done of ${request.todo_id} was accepted and closed nothing`);
  const rejected = new Set(closed.filter(({ data }) => data.outcome === "rejected").map(({ data }) => data.todo_id));
  return rejected.size === 0 ? null : waitingFlaw(fold.todos.values(), rejected);
}

function waitingFlaw(todos: Iterable<TodoRecord>, rejected: ReadonlySet<TodoId>): Flaw | null {
  for (const todo of todos) {
    const lost = needsOf(todo).find((id) => rejected.has(id));
    if (lost !== undefined && todo.status === "open" && !todo.archived)
      return flaw("I6", `${todo.todo_id} is open and waits for ${lost}, which was rejected`);
  }
  return null;
}
