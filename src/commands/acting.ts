/** Who asks about which goal: the registry entry and the agent, or why not. */
import { agentOf, required } from "../core/goal/actor.ts";
import type { AgentId } from "../core/id.ts";
import { done, type Reply } from "../core/result.ts";
import { findRegistered, findWritable, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface Acting {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  /** Null where nobody is named and none is registered. */
  readonly agent: AgentId | null;
}

export interface ActingRequest {
  readonly goalId: string;
  readonly agentId: string | null;
}

export async function actingOn(
  workspace: Workspace,
  { goalId, agentId }: ActingRequest,
  use: "read" | "write",
): Promise<Reply<Acting>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const found = await (use === "write" ? findWritable : findRegistered)(rows.value, goalId);
  if (found.kind !== "done") return found;
  const agent = agentOf(found.value.goal, agentId);
  return agent.kind === "done" ? done({ rows: rows.value, registered: found.value, agent: agent.value }) : agent;
}

/** For what only an agent does. */
export async function agentActingOn(
  workspace: Workspace,
  request: ActingRequest,
): Promise<Reply<Acting & { readonly agent: AgentId }>> {
  const acting = await actingOn(workspace, request, "write");
  if (acting.kind !== "done") return acting;
  const { agent, registered } = acting.value;
  return agent === null ? required(registered.goal) : done({ ...acting.value, agent });
}
