/** The decision for one agent on one goal, read. */
import type { AgentId } from "../core/id.ts";
import type { Decision, DecisionRequest } from "../core/next/decision.ts";
import { next as decide } from "../core/next/next.ts";
import type { NextRequest } from "./app.ts";
import { FRONTIER_PAGE, readDecision } from "./read-decision.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface NextQuestion {
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly request: NextRequest;
  /** Todos that are not to be offered. */
  readonly passes_over?: ReadonlySet<string>;
}

/** A page of the work that is ready; when none of it can be done, all of it. */
export async function decideFor(workspace: Workspace, rows: RegistryRows, question: NextQuestion): Promise<Decision> {
  const { registered, agent, request, passes_over = NONE } = question;
  for (let limit = FRONTIER_PAGE; ; limit *= 16) {
    const { state, now } = await readDecision(workspace, rows, { registered, agent, limit });
    const decision = decide(state, { ...decisionRequest(request, agent), passes_over }, now);
    if (!mayBeBeyondPage(decision, state.frontier.work.length, limit)) return decision;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Work that can be done may stand behind a whole page of work that cannot. */
export function mayBeBeyondPage({ act }: Pick<Decision, "act">, found: number, limit: number): boolean {
  return act !== "run" && act !== "poll" && act !== "stop" && found >= limit;
}

export function decisionRequest(request: NextRequest, agent: AgentId | null): DecisionRequest {
  return { agent, instance: request.instance, capabilities: request.capabilities, seen: request.seen };
}
