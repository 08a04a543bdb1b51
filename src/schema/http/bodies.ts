/**
 * What writes take, in wire names: the options of the command with `_` for `-`. A field that is null is one that is left out.
 *
 * B1  No text is empty, holds U+0000 or another control character but tabs and line breaks, or half of a surrogate pair.
 * B2  A body has no other fields than these.
 */
import { z } from "@hono/zod-openapi";
import { DELIVERY_BATCH_SCALES, DELIVERY_OUTCOMES, PROGRESS_SCOPES } from "../../core/goal/run-request.ts";

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const HALF_PAIR = /\p{Surrogate}/u;

/** B1. */
const text = z
  .string()
  .refine((given) => given.trim() !== "", "must not be empty")
  .refine((given) => !CONTROL.test(given), "must hold no control characters but tabs and line breaks")
  .refine((given) => !HALF_PAIR.test(given), "must be Unicode without halves of surrogate pairs")
  .openapi({ type: "string", minLength: 1 });

const dryRun = z.boolean().nullish().openapi({ description: "show what would happen, write nothing" });

function optional(about: string): z.ZodOptional<z.ZodNullable<typeof text>> {
  return text.nullish().openapi({ description: about });
}

/** B2: strict, as every body is. */
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

export const goalResumeBody = z.strictObject({ dry_run: dryRun }).openapi("GoalResumeRequest");

export const driftFixBody = z
  .strictObject({ goal_id: optional("one goal; every goal when it is left out"), dry_run: dryRun })
  .openapi("DriftFixRequest");

export type RefreshBody = z.output<typeof refreshBody>;
