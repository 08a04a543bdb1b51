/**
 * The goal in which an agent has a todo in hand, for commands that name none.
 *
 * L1  A turn that finished a todo is about its goal, although the lease is gone and whatever was taken in hand since.
 */
import { loopxCommand } from "../core/command-line.ts";
import { parseAgentId, parseTodoId, parseTurnId } from "../core/id.ts";
import { type Reply, refuse, reject } from "../core/result.ts";
import type { GoalTrace } from "../ports/store.ts";
import { doneKey } from "./done-asked.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface HolderRequest {
  readonly agentId: string | null;
  readonly todoId: string | null;
  readonly turnInstanceId: string | null;
}

export async function goalOfLease(
  workspace: Workspace,
  request: HolderRequest,
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  const { agentId } = request;
  const trace = traceOf(request);
  if (trace === null)
    return reject("option_missing", "Say which goal this is about, or which agent you are.", { fix: "loopx goal list" });
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const finished = await finishedIn(workspace, rows.value, request);
  const found = finished.length > 0 ? finished : await workspace.store.goalsWith(rows.value.path, trace);
  const [only, second] = found;
  if (only === undefined) {
    return refuse("nothing_leased", `${agentId ?? "Nobody"} has no todo in hand.`, {
      fix: loopxCommand("claim", ...(agentId === null ? [] : ["--agent-id", agentId])),
    });
  }
  return second === undefined
    ? only
    : reject("goal_ambiguous", "Todos of several goals are in hand: say which goal is meant.", { near: found });
}

/** (L1) */
async function finishedIn(
  { store }: Workspace,
  { path }: RegistryRows,
  { turnInstanceId }: HolderRequest,
): Promise<readonly string[]> {
  const turn = turnInstanceId === null ? null : parseTurnId(turnInstanceId);
  return turn === null ? [] : await store.goalsWith(path, { kind: "receipt", key: doneKey(turn) });
}

/** Todo ids are those that a command has accepted. */
function traceOf({ agentId, todoId }: HolderRequest): GoalTrace | null {
  const owner = agentId === null ? null : parseAgentId(agentId);
  const todo_id = todoId === null ? null : parseTodoId(todoId);
  if (owner !== null) return { kind: "lease", owner, todo_id };
  return todo_id === null ? null : { kind: "lease", owner, todo_id };
}
