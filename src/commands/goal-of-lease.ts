/** The goal in which an agent has a todo in hand, for commands that name none. */
import { loopxCommand } from "../core/command-line.ts";
import { leasedTo } from "../core/goal/head.ts";
import { parseAgentId } from "../core/id.ts";
import { type Reply, refuse, reject } from "../core/result.ts";
import { everyHead } from "./every-head.ts";
import { registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface HolderRequest {
  readonly agentId: string | null;
  readonly todoId: string | null;
}

export async function goalOfLease(
  workspace: Workspace,
  { agentId, todoId }: HolderRequest,
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  const agent = agentId === null ? null : parseAgentId(agentId);
  if (agent === null && todoId === null)
    return reject("option_missing", "Say which goal this is about, or which agent you are.", { fix: "loopx goal list" });
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const holding: string[] = [];
  for await (const head of everyHead({ store: workspace.store, registry: rows.value.path })) {
    const held = leasedTo(head, agent).filter((id) => todoId === null || id === todoId);
    if (held.length > 0) holding.push(head.goal_id);
  }
  const [only, second] = holding;
  if (only === undefined) {
    return refuse("nothing_leased", `${agentId ?? "Nobody"} has no todo in hand.`, {
      fix: loopxCommand("claim", ...(agentId === null ? [] : ["--agent-id", agentId])),
    });
  }
  return second === undefined
    ? only
    : reject("goal_ambiguous", "Todos of several goals are in hand: say which goal is meant.", { near: holding });
}
