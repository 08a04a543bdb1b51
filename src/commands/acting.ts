/** Who asks about which goal: the registry entry and the agent, or why not. */
import { agentOf } from "../core/goal/actor.ts";
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
