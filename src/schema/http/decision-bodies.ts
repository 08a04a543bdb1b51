/** What the writes of a turn take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, flag, optional, words } from "./fields.ts";

const DAY_SECONDS = 86_400;

const agent_id = optional("the agent that acts");
const instance = optional("which execution of the agent this is");
const available_capability = words("what the agent can do beyond shell and files");
const turn_instance_id = optional("the turn. `Idempotency-Key` when it is left out");

const turnFields = { agent_id, instance, available_capability } as const;

const YEAR_SECONDS = 31_536_000;
const MOST_SLOTS = 1_000_000;

/** What a turn took. */
export const cost = {
  slots: z.int().min(0).max(MOST_SLOTS).nullish().openapi({ description: "slots the turn took (1)" }),
  tokens: count("tokens the turn took (0)"),
  wall_seconds: amount("wall time the turn took (0)", YEAR_SECONDS),
} as const;

export const nextBody = z
  .strictObject({ ...turnFields, turn_instance_id, seen: optional("token of what was told last: not told again") })
  .openapi("NextRequest");

export const claimBody = z
  .strictObject({
    ...turnFields,
    todo_id: optional("this todo; the best one when it is left out"),
    turn_instance_id: optional("the turn; it claims once"),
    idempotency_key: optional("the key of the lease. `Idempotency-Key` when it is left out"),
    ttl_seconds: amount("how long the lease runs (2700)", DAY_SECONDS),
    write_scope: words("paths that will be written to; those of the todo when they are left out"),
    dry_run: dryRun,
  })
  .openapi("ClaimRequest");

export const doneBody = z
  .strictObject({
    agent_id,
    todo_id: optional("the todo; the one that the agent has in hand when it is left out"),
    turn_instance_id,
    summary: optional("what was done"),
    next: words("texts of the todos that come next"),
    no_follow_up: flag("nothing comes next; needs reason"),
    reason: optional("with no_follow_up: why nothing comes next"),
    lease_epoch: count("fencing number of the lease", 1),
    task_lease_idempotency_key: optional("key the lease was taken with"),
    task_lease_expected_version: count("version of the lease", 1),
    ...cost,
    no_cache: flag("run the checks also where they passed before"),
    dry_run: dryRun,
  })
  .openapi("DoneRequest");

export type NextBody = z.output<typeof nextBody>;
export type ClaimBody = z.output<typeof claimBody>;
export type DoneBody = z.output<typeof doneBody>;
