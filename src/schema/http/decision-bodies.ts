/** What the writes of a turn and of a goal's settings take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, flag, optional, text, words } from "./fields.ts";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 31_536_000;
const MOST_SLOTS = 1_000_000;

const agent_id = optional("the agent that acts");
const instance = optional("which execution of the agent this is");
const available_capability = words("what the agent can do beyond shell and files");
const turn_instance_id = optional("the turn. `Idempotency-Key` when it is left out");

export const turnFields = { agent_id, instance, available_capability } as const;

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
    slots: z.int().min(0).max(MOST_SLOTS).nullish().openapi({ description: "slots the turn took (1)" }),
    tokens: count("tokens the turn took (0)"),
    wall_seconds: amount("wall time the turn took (0)", YEAR_SECONDS),
    no_cache: flag("run the checks also where they passed before"),
    dry_run: dryRun,
  })
  .openapi("DoneRequest");

export const quotaBody = z
  .strictObject({
    profile: z.enum(["interactive", "batch"]).nullish(),
    compute: amount("share of the window, 0 to 1; 0 pauses", 1),
    window_hours: amount("length of the window (24)"),
    slot_minutes: amount("length of a slot (1)"),
    allowed_slots: count("slots in a window (from the share)"),
    tokens: count("tokens in a window"),
    wall_minutes: amount("minutes of work in a window"),
    limit_open_todos: count("open todos; 0: no limit"),
    limit_running_tasks: count("tasks at once; 0: no limit"),
    limit_runtime_bytes: count("runtime data; 0: no limit"),
    limit_event_bytes: count("one event; 0: no limit"),
    limit_cache_entries: count("cached results; 0: no limit"),
    limit_cache_bytes: count("cached results; 0: no limit"),
    dry_run: dryRun,
  })
  .openapi("QuotaRequest");

export const agentsBody = z
  .strictObject({
    agent_id: z.union([text, z.array(text).min(1)]).openapi({ description: "one agent, or several" }),
    require_new: flag("refuse an agent that is there already"),
    dry_run: dryRun,
  })
  .openapi("AgentsRequest");

export type NextBody = z.output<typeof nextBody>;
export type ClaimBody = z.output<typeof claimBody>;
export type DoneBody = z.output<typeof doneBody>;
export type QuotaBody = z.output<typeof quotaBody>;
