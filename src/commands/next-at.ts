/** What `next` answered right after an event of the past; a read (`past.ts`). */
import { agentOf } from "../core/goal/actor.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import type { NextRequest } from "./app.ts";
import { decideFor } from "./decide-for.ts";
import { lookBack, withoutFile } from "./past.ts";
import type { Workspace } from "./workspace.ts";

export async function nextAt(
  workspace: Workspace,
  request: NextRequest & { readonly at: string },
): Promise<Reply<DecisionPayload>> {
  if (request.turnInstanceId !== null) {
    return reject("option_conflict", "--at looks back, and --turn-instance-id opens a turn: only one of them can be meant.");
  }
  const past = await lookBack(workspace, request);
  if (past.kind !== "done") return past;
  const { rows, registered, at } = past.value;
  const agent = agentOf(registered.goal, request.agentId);
  if (agent.kind !== "done") return agent;
  const question = { registered: withoutFile(registered), agent: agent.value, request };
  const decision = await decideFor(past.value.workspace, rows, question);
  return done(decisionPayload(decision, { goal_id: registered.goal.goal_id, agent_id: agent.value, at }));
}
