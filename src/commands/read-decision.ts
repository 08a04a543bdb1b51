/**
 * What a decision about one agent rests on, read and nothing written (T1 of `read-goal.ts`).
 *
 * Does not own: the decision (`core/next`), the same inside of a write (`write-goal.ts`).
 *
 * R1  A state file that is the accepted one is not read; one that differs is folded in memory by the same commands that a
 *     write persists, so that both answer the same.
 * R2  Todos are looked up by index, a page; only when none of the page can be done are more asked for.
 */
import type { AgentId } from "../core/id.ts";
import { addMilliseconds, type Instant } from "../core/instant.ts";
import type { DecisionState } from "../core/next/decision.ts";
import { EMPTY_FRONTIER, frontierOf } from "../core/next/frontier.ts";
import { decisionStateOf } from "../core/next/state-of.ts";
import { windowOf } from "../core/quota/law.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import type { Problem } from "../core/result.ts";
import type { LoadedGoal, LoadRequest, SpendQuery, SpendWindow } from "../ports/store.ts";
import { FRONTIER_PAGE } from "./frontier-page.ts";
import { nowFor } from "./goal-clock.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { stateProblem } from "./state-file.ts";
import { unchangedState } from "./unchanged-state.ts";
import type { Workspace } from "./workspace.ts";

/** Enough to say when a goal that has used up its window may go on. */
export const SPEND_ENTRIES = 512;

export interface DecisionQuery {
  readonly agent: AgentId | null;
  /** Of each list; a page where it is not given. */
  readonly limit?: number;
  readonly todos?: LoadRequest["todos"];
}

export interface ReadDecision {
  readonly state: DecisionState;
  /** Null where the settings of the quota cannot be understood. */
  readonly spend: SpendWindow | null;
  readonly now: Instant;
}

export async function readDecision(
  workspace: Workspace,
  rows: RegistryRows,
  { registered, agent, limit = FRONTIER_PAGE, todos = "none" }: DecisionQuery & { readonly registered: RegisteredGoal },
): Promise<ReadDecision> {
  const { goal } = registered;
  const wall = workspace.clock.now();
  const frontier = { agent, now: wall, limit };
  const spend = spendQuery(goal, wall);
  const request: LoadRequest = { goal_id: goal.goal_id, todos, base: "facts", frontier, ...(spend !== null && { spend }) };
  const loaded = await workspace.store.load(request);
  const now = nowFor(loaded.head, wall);
  const subject = { goal_id: goal.goal_id, registered };
  const same =
    isAccepted(goal, loaded) && (goal.state_file === null || (await unchangedState(workspace, subject, loaded)) !== null);
  if (same) return { state: stateFrom(goal, loaded, { now, problem: null }), spend: loaded.spend, now }; // (R1)
  const folded = await foldedGoal(workspace, rows, { registered, loaded });
  const seen = {
    ...loaded,
    head: folded.head,
    todos: folded.todos,
    frontier: frontierOf(folded.todos.values(), frontier, folded.head),
  };
  return { state: stateFrom(goal, seen, { now, problem: folded.problem }), spend: loaded.spend, now };
}

/** What was spent in the window of the goal; null where its settings cannot be understood. */
export function spendQuery({ quota }: DeclaredGoal, now: Instant): SpendQuery | null {
  if (quota.kind === "invalid") return null;
  return { since: addMilliseconds(now, -windowOf(quota.settings).window_ms), entries: SPEND_ENTRIES };
}

/** The registry says of the goal what its journal says. */
function isAccepted({ activation }: DeclaredGoal, { head }: LoadedGoal): boolean {
  if (head === null) return false;
  return activation.state === "active" ? head.lifecycle.kind === "active" : true;
}

function stateFrom(
  declared: DeclaredGoal,
  { head, todos, frontier, spend }: LoadedGoal,
  { now, problem }: { readonly now: Instant; readonly problem: Problem | null },
): DecisionState {
  return decisionStateOf({ declared, head, todos, frontier: frontier ?? EMPTY_FRONTIER, spend, problem, now });
}

async function foldedGoal(
  workspace: Workspace,
  rows: RegistryRows,
  { registered, loaded }: { readonly registered: RegisteredGoal; readonly loaded: LoadedGoal },
): Promise<Pick<LoadedGoal, "head" | "todos"> & { readonly problem: Problem | null }> {
  const { foldFiles, stateOf } = await import("./read-plan.ts");
  const { goal_id } = loaded;
  const subject = { goal_id, registered };
  const state = stateOf(workspace, rows, subject);
  const folded = await foldFiles(workspace, rows, { subject, state, now: workspace.clock.now() });
  const todos = folded.todos ?? (await workspace.store.load({ goal_id, todos: "all", base: "none" })).todos;
  return { head: folded.head, todos, problem: folded.problem ?? stateProblem(state) };
}
