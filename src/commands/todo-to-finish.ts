/**
 * Which todo `done` is about: the one that is named, else the one the agent has leased.
 *
 * T1  An agent with several leases has to name the todo, unless one of them was taken in the turn that is named.
 * T2  A turn that finished one is about that one, although its lease is gone.
 */

import { loopxCommand } from "../core/command-line.ts";
import type { TodoRecord } from "../core/events.ts";
import { type GoalHead, leasedTo } from "../core/goal/head.ts";
import { type AgentId, parseTodoId, type TodoId, type TurnId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import { doneKey } from "./done-asked.ts";
import { readDecision } from "./read-decision.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface ToFinish {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly turn: TurnId | null;
  readonly request: { readonly todoId: string | null };
}

export interface TodoInHand {
  readonly todo: TodoRecord;
  /** As they stood when it was looked up. */
  readonly head: GoalHead | null;
  readonly now: Instant;
}

export async function todoToFinish(workspace: Workspace, finishing: ToFinish): Promise<Reply<TodoInHand>> {
  const { rows, registered, agent, request } = finishing;
  const named = request.todoId === null ? null : parseTodoId(request.todoId);
  const asked = named ?? (await finishedIn(workspace, finishing)); // (T2)
  const { state, now } = await readDecision(workspace, rows, {
    registered,
    agent,
    limit: 1,
    todos: asked === null ? "none" : [asked],
  });
  const id = asked ?? leasedTodo(finishing, state.head);
  if (typeof id !== "string") return id;
  const todo = state.todos.get(id);
  if (todo !== undefined) return done({ todo, head: state.head, now });
  return reject("unknown_todo", `Goal ${registered.goal.goal_id} has no todo ${id}.`, {
    fix: loopxCommand("todo", "list", "--goal-id", registered.goal.goal_id),
  });
}

/** (T2) */
async function finishedIn({ store }: Workspace, { registered, turn }: ToFinish): Promise<TodoId | null> {
  if (turn === null) return null;
  const { goal_id } = registered.goal;
  const { receipt } = await store.load({ goal_id, todos: "none", base: "none", receipt: doneKey(turn) });
  if (receipt === null) return null;
  const { generation, seq } = receipt;
  const query = { goal_id, generation, type: "todo.closed", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const [event] = await store.events(query);
  return event?.type === "todo.closed" ? event.data.todo_id : null;
}

type Head = Parameters<typeof leasedTo>[0];

function leasedTodo({ registered, agent, turn }: ToFinish, head: Head): TodoId | Exclude<Reply<never>, { kind: "done" }> {
  const ids = agent === null ? [] : leasedTo(head, agent);
  const [only, second] = ids;
  if (only !== undefined && second === undefined) return only;
  const ofTurn = ids.find((id) => turn !== null && head?.leases[id]?.turn_id === turn); // (T1)
  if (ofTurn !== undefined) return ofTurn;
  const about = ["--goal-id", registered.goal.goal_id, ...(agent === null ? [] : ["--agent-id", agent])];
  if (only === undefined) {
    return refuse("nothing_leased", `${agent ?? "Nobody"} has no todo in hand: name one, or claim it first.`, {
      fix: loopxCommand("claim", ...about),
    });
  }
  return reject("todo_ambiguous", `${agent ?? ""} has several todos in hand: name the one that is done.`, {
    near: ids,
    fix: loopxCommand("done", ...about, "--todo-id", only),
  });
}
