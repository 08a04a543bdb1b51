/**
 * What an agent asks each turn: may I act, on what, and why?
 *
 * Does not own: the decision (`core/next`), opening a turn with it (`open-turn.ts`).
 *
 * N1  Plain `next` is a read; with a turn id it opens that turn, and the same question in it gets the same answer.
 * N2  Without a goal, the goals that the agent may act on are asked in the order of the registry's ids, and the most useful answer is given.
 */
import { parseTurnId } from "../core/id.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import { actingOn } from "./acting.ts";
import type { NextRequest } from "./app.ts";
import { decideFor } from "./decide-for.ts";
import type { Workspace } from "./workspace.ts";

export async function next(workspace: Workspace, request: NextRequest): Promise<Reply<DecisionPayload>> {
  if (request.at !== undefined) {
    return await (await import("./next-at.ts")).nextAt(workspace, { ...request, at: request.at });
  }
  const turn = request.turnInstanceId === null ? null : parseTurnId(request.turnInstanceId);
  if (request.turnInstanceId !== null && turn === null) return badTurn(request.turnInstanceId);
  if (request.goalId === null) return await (await import("./best-goal.ts")).nextOfAnyGoal(workspace, request);
  const acting = await actingOn(
    workspace,
    { goalId: request.goalId, agentId: request.agentId },
    turn === null ? "read" : "write",
  );
  if (acting.kind !== "done") return acting;
  if (turn !== null)
    return await (await import("./open-turn.ts")).openTurn(await workspace.writing(), { ...acting.value, request, turn }); // (N1)
  const { rows, registered, agent } = acting.value;
  const decision = await decideFor(workspace, rows, { registered, agent, request });
  return done(decisionPayload(decision, { goal_id: registered.goal.goal_id, agent_id: agent }));
}

function badTurn(text: string): Reply<never> {
  return reject("turn_id_invalid", `${JSON.stringify(text)} is no turn id: 1 to 160 of A-Z a-z 0-9 _ . : @ / -.`);
}
