/**
 * Who asks for what about which todo: goal, agent, turn and fence, or why not.
 *
 * Q1  A goal that is not named is found by the todo.
 * Q2  An agent that is named is one of the goal's. Where nobody is named, a goal with one agent means that one; with several, it
 *     is a person who writes, and only what work demands of its owner is refused (`required`).
 */
import { agentOf, required } from "../core/goal/actor.ts";
import type { Fence } from "../core/goal/fence.ts";
import { type AgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../core/id.ts";
import { type BadInput, done, type Reply, reject } from "../core/result.ts";
import type { TodoWriteRequest } from "./app-todos.ts";
import { badTodoId, goalOfTodo, unknownTodoIn } from "./goal-of-todo.ts";
import { findWritable, type RegisteredGoal, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";
import type { Asking } from "./write-todos.ts";

export interface AskingAbout extends Asking {
  readonly todo_id: TodoId;
  readonly fence: Fence;
  /** What is answered when the goal has no such todo. */
  readonly missing: BadInput;
}

export async function askingAbout(
  workspace: Workspace,
  request: TodoWriteRequest & { readonly todoId: string },
): Promise<Reply<AskingAbout>> {
  const todo_id = parseTodoId(request.todoId);
  if (todo_id === null) return badTodoId(request.todoId);
  const goalId = request.goalId === null ? await goalOfTodo(workspace, request.todoId) : done(request.goalId); // (Q1)
  if (goalId.kind !== "done") return goalId;
  const asking = await askingOn(workspace, { ...request, goalId: goalId.value });
  if (asking.kind !== "done") return asking;
  const { agent, turn } = asking.value;
  const { leaseEpoch: epoch, leaseKey: key, leaseVersion: version } = request;
  const missing = unknownTodoIn(asking.value.registered, todo_id);
  return done({ ...asking.value, todo_id, missing, fence: { agent_id: agent, turn_id: turn, epoch, key, version } });
}

type OnGoal = Pick<TodoWriteRequest, "agentId" | "turnInstanceId" | "dryRun"> & { readonly goalId: string };

export async function askingOn(workspace: Workspace, request: OnGoal): Promise<Reply<Asking>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findWritable(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const agent = whoAsks(registered.value, request.agentId);
  if (agent.kind !== "done") return agent;
  const turn = turnOf(request.turnInstanceId);
  if (turn.kind !== "done") return turn;
  return done({
    rows: rows.value,
    registered: registered.value,
    agent: agent.value,
    turn: turn.value,
    dryRun: request.dryRun,
  });
}

/** (Q2) */
function whoAsks({ goal }: RegisteredGoal, text: string | null): Reply<AgentId | null> {
  return text === null && goal.registered_agents.length > 1 ? done(null) : agentOf(goal, text);
}

/** (Q2) Null: the owner is known, or anybody may. */
export function ownerRequired({ registered, agent }: Asking): Reply<never> | null {
  return agent === null && registered.goal.registered_agents.length > 1 ? required(registered.goal) : null;
}

function turnOf(text: string | null): Reply<TurnId | null> {
  const turn = text === null ? null : parseTurnId(text);
  return text !== null && turn === null
    ? reject("turn_id_invalid", `${JSON.stringify(text.slice(0, 80))} is no turn id: 1 to 160 of A-Z a-z 0-9 _ . : @ / -.`)
    : done(turn);
}
