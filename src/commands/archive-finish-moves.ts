/**
 * Whoever meets a goal on its way to or from an archive brings it there.
 *
 * M1  Only for goals of this project's registry; where nothing can be written, the goal stays on its way and is shown so.
 */
import type { GoalId } from "../core/id.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import { finishArchiving } from "./archive-finish.ts";
import type { FinishedMove, MoveStep, Underway } from "./archive-move.ts";
import { ownerOf } from "./read-plan.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { finishRestoring } from "./restore-finish.ts";
import type { MovingWorkspace } from "./workspace.ts";

/** Each try that fails means that another process made a step of the same move, or wrote to the folder while it was copied. */
const MOST_TRIES = 20;

/** Null: the goal is not on its way, or may not be brought there from here (M1). */
export async function finishMoves(workspace: MovingWorkspace, goalId: GoalId): Promise<Reply<FinishedMove | null>> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const underway = await underwayOf(workspace, goalId);
    if (underway === null) return done(null);
    if ("kind" in underway) return underway;
    const step = await stepOf(workspace, underway);
    if (step !== "again") return step;
  }
  return refuse("goal_moving", `Goal ${goalId} is being moved by another process; try again.`, { details: { goal_id: goalId } });
}

async function underwayOf(
  workspace: MovingWorkspace,
  goal_id: GoalId,
): Promise<Underway | Exclude<Reply<never>, { kind: "done" }> | null> {
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  if (head === null || (head.lifecycle.kind !== "archiving" && head.lifecycle.kind !== "restoring")) return null;
  if (workspace.store.facts().access === "read_only") return null;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  return (await ownerIn(workspace, rows.value, goal_id)) === head.registry
    ? { head, lifecycle: head.lifecycle, rows: rows.value }
    : null;
}

async function ownerIn(workspace: MovingWorkspace, rows: RegistryRows, goal_id: GoalId): Promise<string> {
  const [registered = null] = await rows.find(goal_id);
  return ownerOf(workspace, rows, { goal_id, registered });
}

async function stepOf(workspace: MovingWorkspace, { head, lifecycle, rows }: Underway): Promise<MoveStep> {
  return lifecycle.kind === "archiving"
    ? await finishArchiving(workspace, { head, lifecycle, rows })
    : await finishRestoring(workspace, { head, lifecycle, rows });
}
