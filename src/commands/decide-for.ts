/** The decision for one agent on one goal, read. */
import type { AgentId } from "../core/id.ts";
import type { Decision, DecisionRequest } from "../core/next/decision.ts";
import { next as decide } from "../core/next/next.ts";
import type { LoadRequest } from "../ports/store.ts";
import type { NextRequest } from "./app.ts";
import { FRONTIER_PAGE, mayBeBeyondPage, PAGE_GROWTH } from "./frontier-page.ts";
import { type ReadDecision, readDecision } from "./read-decision.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface NextQuestion {
  readonly registered: RegisteredGoal;
  readonly agent: AgentId | null;
  readonly request: NextRequest;
  /** That are looked at beside those that the decision rests on. */
  readonly todos?: LoadRequest["todos"];
  /** Todos that are not to be offered. */
  readonly passes_over?: ReadonlySet<string>;
}

export interface Decided extends ReadDecision {
  readonly decision: Decision;
}

export async function decideFor(workspace: Workspace, rows: RegistryRows, question: NextQuestion): Promise<Decision> {
  return (await decidedFor(workspace, rows, question)).decision;
}

/** On a page of the work that is ready; when none of it can be done, on all of it. */
export async function decidedFor(workspace: Workspace, rows: RegistryRows, question: NextQuestion): Promise<Decided> {
  const { registered, agent, request, todos = "none", passes_over = NONE } = question;
  for (let limit = FRONTIER_PAGE; ; limit *= PAGE_GROWTH) {
    const read = await readDecision(workspace, rows, { registered, agent, limit, todos });
    const decision = decide(read.state, { ...decisionRequest(request, agent), passes_over }, read.now);
    if (!mayBeBeyondPage(decision, { frontier: read.state.frontier, limit, now: read.now })) return { ...read, decision };
  }
}

const NONE: ReadonlySet<string> = new Set();

export function decisionRequest(request: NextRequest, agent: AgentId | null): DecisionRequest {
  return { agent, instance: request.instance, capabilities: request.capabilities, seen: request.seen };
}
