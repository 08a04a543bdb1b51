/**
 * The registry's part of archiving: an archived goal is stopped, and one that only its archive had stopped is active again.
 *
 * Does not own: editing the file (`edit-registry.ts`).
 *
 * R1  What an archive stopped carries the second in which archiving began as `updated_at`; by that alone it is known again.
 *     A goal that a person stopped, before or since, stays stopped.
 */

import type { GoalId } from "../core/id.ts";
import { type Instant, toRunTime } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { editRegistryFile } from "./edit-registry.ts";
import type { RegistryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

const REASON = "archived";

type Edited = Reply<"active" | "stopped" | "not_registered">;

/** R1: `since` is the instant of `archive.started`. */
export async function stopArchived(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { goal_id, since }: Archived,
): Promise<Edited> {
  const state = await stateIn(rows, goal_id);
  if (state?.state !== "active") return done(state === null ? "not_registered" : "stopped");
  return await set(workspace, { goal_id, state: "stopped", at: since });
}

export async function resumeRestored(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { goal_id, since }: Partial<Archived> & Pick<Archived, "goal_id">,
): Promise<Edited> {
  const state = await stateIn(rows, goal_id);
  if (state === null) return done("not_registered");
  if (state.state === "active") return done("active");
  const stoppedByArchive = since !== undefined && state.updated_at !== null && toRunTime(state.updated_at) === toRunTime(since);
  return stoppedByArchive ? await set(workspace, { goal_id, state: "active", at: workspace.clock.now() }) : done("stopped"); // (R1)
}

export interface Archived {
  readonly goal_id: GoalId;
  readonly since: Instant;
}

async function stateIn(rows: RegistryRows, goalId: GoalId) {
  const [registered] = await rows.find(goalId);
  return registered === undefined ? null : registered.goal.activation;
}

interface Setting {
  readonly goal_id: GoalId;
  readonly state: "active" | "stopped";
  readonly at: Instant;
}

async function set(workspace: WritingWorkspace, { goal_id, state, at }: Setting): Promise<Edited> {
  const reason = state === "stopped" ? { reason: REASON } : { reason: "" };
  const edited = await editRegistryFile(
    { ...workspace, clock: { now: () => at } },
    { kind: "set_activation", goal_id, state, ...reason },
  );
  return edited.kind === "done" ? done(state) : edited;
}
