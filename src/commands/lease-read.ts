/** `lease show` and `lease list`: who holds what, read and nothing written. */
import { agentOf } from "../core/goal/actor.ts";
import { leaseOf } from "../core/goal/fence.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type LeaseListPayload, type LeaseShowPayload, leaseListPayload, leaseShowPayload } from "../core/show/lease.ts";
import { parseCursor } from "../core/show/paging.ts";
import type { LeaseListRequest, LeaseShowRequest } from "./app.ts";
import { todoIdFrom } from "./asked-lease.ts";
import { readDecision } from "./read-decision.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export async function leaseShow(workspace: Workspace, request: LeaseShowRequest): Promise<Reply<LeaseShowPayload>> {
  const todo = todoIdFrom(request.todoId);
  if (todo.kind !== "done") return todo;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const { goal_id, registered_agents: agents } = registered.value.goal;
  const query = { registered: registered.value, agent: null, limit: 1, todos: [todo.value] };
  const { state, now } = await readDecision(workspace, rows.value, query);
  const record = state.todos.get(todo.value);
  if (record === undefined) {
    return reject("unknown_todo", `Goal ${goal_id} has no todo ${todo.value}.`, { fix: `loopx todo list --goal-id ${goal_id}` });
  }
  const lease = state.head === null ? null : leaseOf(state.head, todo.value);
  return done(leaseShowPayload({ goal_id, todo: record, lease, agents, now }));
}

export async function leaseList(workspace: Workspace, request: LeaseListRequest): Promise<Reply<LeaseListPayload>> {
  const cursor = request.cursor === null ? done(null) : parseCursor(request.cursor, ["leases"]);
  if (cursor.kind !== "done") return cursor;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const { goal } = registered.value;
  const agent = request.agentId === null ? done(null) : agentOf(goal, request.agentId);
  if (agent.kind !== "done") return agent;
  const { state, now } = await readDecision(workspace, rows.value, { registered: registered.value, agent: null, limit: 1 });
  const agent_id = agent.value;
  const leases = Object.values(state.head?.leases ?? {}).filter(({ owner }) => agent_id === null || owner === agent_id);
  const seen = cursor.value?.seen ?? 0;
  return done(leaseListPayload({ goal_id: goal.goal_id, agent_id, leases, seen, limit: request.limit, now }));
}
