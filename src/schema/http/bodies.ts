/**
 * What writes about goals take, in wire names: the options of the command with `_` for `-`.
 *
 * Does not own: what each kind of field may hold (`fields.ts`).
 *
 * B1  A body has no other fields than these.
 */
import { z } from "@hono/zod-openapi";
import { DELIVERY_BATCH_SCALES, DELIVERY_OUTCOMES, PROGRESS_SCOPES } from "../../core/goal/run-request.ts";
import { dryRun, optional, text } from "./fields.ts";

/** B1: strict, as every body is. */
export const refreshBody = z
  .strictObject({
    agent_id: optional("who acts"),
    agent_lane: optional("lane of the agent; needs agent_id"),
    classification: optional("what kind of run (state_refreshed)"),
    recommended_action: optional("what to do next, for the record"),
    next_action: optional("replaces Next Action in the state file"),
    delivery_outcome: z.enum(DELIVERY_OUTCOMES).nullish(),
    delivery_batch_scale: z.enum(DELIVERY_BATCH_SCALES).nullish(),
    todo_id: optional("the todo worked on"),
    turn_instance_id: optional("the turn; a second refresh of it adds nothing. `Idempotency-Key` when it is left out"),
    progress_scope: z.enum(PROGRESS_SCOPES).nullish(),
    state_file: optional("another state file inside the project"),
    dry_run: dryRun,
  })
  .openapi("RefreshRequest");

export const goalAddBody = z
  .strictObject({
    goal_id: text,
    objective: text.openapi({ description: "what the goal is for" }),
    display_name: optional("name shown to people"),
    state_file: optional("state file of the goal, inside the project"),
    dry_run: dryRun,
  })
  .openapi("GoalAddRequest");

export const goalStopBody = z
  .strictObject({ reason: optional("why, shown with the goal"), dry_run: dryRun })
  .openapi("GoalStopRequest");

export const goalResumeBody = z
  .strictObject({ reason: optional("why, recorded with the fact"), dry_run: dryRun })
  .openapi("GoalResumeRequest");

export const goalRemoveBody = z.strictObject({ dry_run: dryRun }).openapi("GoalRemoveRequest");

export const refreshAllBody = z.strictObject({ dry_run: dryRun }).openapi("RefreshAllRequest");

export const driftFixBody = z
  .strictObject({ goal_id: optional("one goal; every goal when it is left out"), dry_run: dryRun })
  .openapi("DriftFixRequest");

export type RefreshBody = z.output<typeof refreshBody>;
