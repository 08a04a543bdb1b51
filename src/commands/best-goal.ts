/**
 * The most useful answer for an agent that names no goal.
 *
 * B1  Work before looking, before repairing, before waiting; then the todo of the higher priority; then the goal's id.
 * B2  At most so many goals are asked.
 */
import { agentOf, badAgentId } from "../core/goal/actor.ts";
import { UNRANKED } from "../core/goal/ready-order.ts";
import { type AgentId, parseAgentId } from "../core/id.ts";
import type { Act, Decision } from "../core/next/decision.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type DecisionPayload, decisionPayload } from "../core/show/decision.ts";
import type { NextRequest } from "./app.ts";
import { decideFor } from "./decide-for.ts";
import { everyGoal, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

const MOST_GOALS = 500;

const USE: Readonly<Record<Act, number>> = { run: 0, poll: 1, replan: 2, repair: 3, ask: 4, wait: 5, stop: 6 };

export interface Candidate {
  readonly goal_id: string;
  readonly agent_id: AgentId | null;
  readonly registered: RegisteredGoal;
  readonly decision: Decision;
}

interface Asking {
  readonly request: NextRequest;
  /** Null: all. */
  readonly goals?: ReadonlySet<string> | null;
  readonly passes_over?: ReadonlySet<string>;
}

export async function nextOfAnyGoal(workspace: Workspace, request: NextRequest): Promise<Reply<DecisionPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const best = await bestCandidate(workspace, rows.value, { request });
  return best.kind === "done" ? done(decisionPayload(best.value.decision, best.value)) : best;
}

export async function bestCandidate(workspace: Workspace, rows: RegistryRows, asking: Asking): Promise<Reply<Candidate>> {
  let best: Candidate | null = null;
  for await (const candidate of candidates(workspace, rows, asking)) {
    if (best === null || comparedTo(candidate, best) < 0) best = candidate;
    if (isUnbeatable(best.decision)) break;
  }
  return best === null ? nobody(asking.request.agentId) : done(best);
}

/** (B2) */
async function* candidates(
  workspace: Workspace,
  rows: RegistryRows,
  { request, goals = null, passes_over = new Set() }: Asking,
): AsyncGenerator<Candidate> {
  let asked = 0;
  for await (const registered of everyGoal(rows)) {
    const { goal } = registered;
    const agent = agentOf(goal, request.agentId);
    if (goals?.has(goal.goal_id) === false) continue;
    if (goal.standing !== "clear" || agent.kind !== "done") continue;
    if (asked >= MOST_GOALS) return;
    asked += 1;
    const decision = await decideFor(workspace, rows, { registered, agent: agent.value, request, passes_over });
    yield { goal_id: goal.goal_id, agent_id: agent.value, registered, decision };
  }
}

/** (B1) */
function comparedTo(a: Candidate, b: Candidate): number {
  return USE[a.decision.act] - USE[b.decision.act] || rank(a) - rank(b);
}

function rank({ decision }: Candidate): number {
  return decision.todo?.priority ?? UNRANKED;
}

function isUnbeatable({ act, why, todo }: Decision): boolean {
  return act === "run" && (why === "continue" || todo?.priority === 0);
}

function nobody(agentId: string | null): Reply<never> {
  if (agentId !== null && parseAgentId(agentId) === null) return badAgentId(agentId);
  return reject(
    "unknown_agent",
    agentId === null
      ? "No goal of this registry can be asked without an agent."
      : `No goal of this registry has an agent ${agentId}.`,
    {
      fix: "loopx goal list",
    },
  );
}
