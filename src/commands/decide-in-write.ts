/** The decision inside of a write: on the state that taking in the files left, in the transaction that acts on it. */
import type { GoalDraft } from "../core/goal/draft.ts";
import type { AgentId } from "../core/id.ts";
import type { DecisionState } from "../core/next/decision.ts";
import { decisionStateOf } from "../core/next/state-of.ts";
import { FRONTIER_PAGE } from "./frontier-page.ts";
import { spendQuery } from "./read-decision.ts";
import { stateOf } from "./read-plan.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { type StateReading, stateProblem } from "./state-file.ts";
import { unchangedState } from "./unchanged-state.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { WriteMaterial, WriteRequest } from "./write-goal.ts";

/** What a write needs to be able to decide. */
export async function decidingWrite(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  {
    registered,
    agent,
    limit = FRONTIER_PAGE,
  }: { readonly registered: RegisteredGoal; readonly agent: AgentId | null; readonly limit?: number },
): Promise<Pick<WriteRequest, "subject" | "state" | "frontier" | "spend">> {
  const { goal } = registered;
  const now = workspace.clock.now();
  const spend = spendQuery(goal, now);
  return {
    ...(await standingGoal(workspace, rows, registered)),
    frontier: { agent, now, limit },
    ...(spend !== null && { spend }),
  };
}

/** The goal and its state file, which is read only where it may differ from the accepted one. */
export async function standingGoal(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  registered: RegisteredGoal,
): Promise<Pick<WriteRequest, "subject" | "state">> {
  const { goal_id } = registered.goal;
  const subject = { goal_id, registered };
  const loaded = await workspace.store.load({ goal_id, todos: "none", base: "facts" });
  const unchanged = loaded.head === null ? null : await unchangedState(workspace, subject, loaded);
  return { subject, state: unchanged ?? stateOf(workspace, rows, subject) };
}

export function stateInWrite(
  registered: RegisteredGoal,
  { draft, reading, material }: { readonly draft: GoalDraft; readonly reading: StateReading; readonly material: WriteMaterial },
): DecisionState {
  const { frontier, spend, at } = material;
  return decisionStateOf({
    declared: registered.goal,
    head: draft.head,
    todos: draft.todos,
    frontier,
    spend,
    problem: stateProblem(reading),
    now: at,
  });
}
