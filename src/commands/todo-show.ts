/** `todo show`: one todo, whole, with its lease, and what keeps an agent from it; a read. */
import { agentOf } from "../core/goal/actor.ts";
import { leaseOf } from "../core/goal/fence.ts";
import { parseTodoId } from "../core/id.ts";
import { whyNot } from "../core/next/why-not.ts";
import { done, type Reply } from "../core/result.ts";
import { shownLease } from "../core/show/claim.ts";
import { cutter } from "../core/show/cutter.ts";
import { shownTodo, type TodoShowPayload } from "../core/show/todo.ts";
import type { TodoShowRequest } from "./app-todos.ts";
import { FRONTIER_PAGE } from "./frontier-page.ts";
import { badTodoId, goalOfTodo, unknownTodoIn } from "./goal-of-todo.ts";
import { readDecision } from "./read-decision.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export async function todoShow(workspace: Workspace, request: TodoShowRequest): Promise<Reply<TodoShowPayload>> {
  const id = parseTodoId(request.todoId);
  if (id === null) return badTodoId(request.todoId);
  const goalId = request.goalId === null ? await goalOfTodo(workspace, id) : done(request.goalId);
  if (goalId.kind !== "done") return goalId;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, goalId.value);
  if (registered.kind !== "done") return registered;
  const agent = request.agentId === null ? done(null) : agentOf(registered.value.goal, request.agentId);
  if (agent.kind !== "done") return agent;
  const { state, now } = await readDecision(workspace, rows.value, {
    registered: registered.value,
    agent: agent.value,
    limit: FRONTIER_PAGE,
    todos: [id],
  });
  const todo = state.todos.get(id);
  if (todo === undefined) return unknownTodoIn(registered.value, id);
  const lease = state.head === null ? null : leaseOf(state.head, id);
  const asked = { agent: agent.value, instance: null, capabilities: [], seen: null };
  return done({
    ok: true,
    goal_id: registered.value.goal.goal_id,
    todo: shownTodo(todo, cutter(Number.POSITIVE_INFINITY)),
    lease: lease === null ? null : shownLease(registered.value.goal.goal_id, lease),
    why_not: agent.value === null ? null : whyNot(state, { todo, request: asked, now }),
  });
}
