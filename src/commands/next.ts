/**
 * What an agent asks each turn: may I act, on what, and why?
 *
 * Does not own: the decision (`core/next`), opening a turn with it (`open-turn.ts`).
 *
 * N1  Plain `next` is a read; with a turn id it opens that turn, and the same question in it gets the same answer.
 * N2  Without a goal, the goals that the agent may act on are asked in the order of the registry's ids, and the most useful answer is given.
 */
import { type AgentId, parseTurnId } from "../core/id.ts";
import type { Decision, DecisionRequest } from "../core/next/decision.ts";
import { next as decide } from "../core/next/next.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import { actingOn } from "./acting.ts";
import type { NextRequest } from "./app.ts";
import { FRONTIER_PAGE, readDecision } from "./read-decision.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export async function next(workspace: Workspace, request: NextRequest): Promise<Reply<DecisionPayload>> {
  const turn = request.turnInstanceId === null ? null : parseTurnId(request.turnInstanceId);
  if (request.turnInstanceId !== null && turn === null) return badTurn(request.turnInstanceId);
  if (request.goalId === null) return await (await import("./best-goal.ts")).nextOfAnyGoal(workspace, request);
  const acting = await actingOn(
    workspace,
    { goalId: request.goalId, agentId: request.agentId },
    turn === null ? "read" : "write",
  );
  if (acting.kind !== "done") return acting;
  if (turn !== null) return await (await import("./open-turn.ts")).openTurn(workspace, { ...acting.value, request, turn }); // (N1)
  return done(await nextOf(workspace, acting.value.rows, { ...acting.value, request }));
}

export interface NextQuestion {
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly request: NextRequest;
}

export async function nextOf(workspace: Workspace, rows: RegistryRows, question: NextQuestion): Promise<DecisionPayload> {
  const { registered, agent } = question;
  const decision = await decideFor(workspace, rows, question);
  return decisionPayload(decision, { goal_id: registered.goal.goal_id, agent_id: agent });
}

/** A page of the work that is ready; when none of it can be done, all of it. */
export async function decideFor(workspace: Workspace, rows: RegistryRows, question: NextQuestion): Promise<Decision> {
  const { registered, agent, request } = question;
  for (let limit = FRONTIER_PAGE; ; limit *= 16) {
    const { state, now } = await readDecision(workspace, rows, { registered, agent, limit });
    const decision = decide(state, decisionRequest(request, agent), now);
    if (!mayBeBeyondPage(decision, state.frontier.work.length, limit)) return decision;
  }
}

/** Work that can be done may stand behind a whole page of work that cannot. */
export function mayBeBeyondPage({ act }: Pick<Decision, "act">, found: number, limit: number): boolean {
  return act !== "run" && act !== "poll" && act !== "stop" && found >= limit;
}

export function decisionRequest(request: NextRequest, agent: AgentId | null): DecisionRequest {
  return { agent, instance: request.instance, capabilities: request.capabilities, seen: request.seen };
}

function badTurn(text: string): Reply<never> {
  return reject("turn_id_invalid", `${JSON.stringify(text)} is no turn id: 1 to 160 of A-Z a-z 0-9 _ . : @ / -.`);
}
