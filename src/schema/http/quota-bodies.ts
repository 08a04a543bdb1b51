/** What writes about a goal's settings and about spending take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { WAITING_ON } from "../../core/registry/edit-goal.ts";
import { cost } from "./decision-bodies.ts";
import { amount, count, dryRun, flag, optional, text, words } from "./fields.ts";

const MOST_MINUTES = 44_640;
const SOURCES = ["heartbeat", "controller", "adapter", "visible-goal"] as const;

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

export const configureBody = z
  .strictObject({
    quota_compute: amount("share of the window, 0 to 1; 0 pauses", 1),
    quota_window_hours: amount("length of the window"),
    write_scope: words("what agents may write to, added to what is there"),
    replace_write_scope: flag("instead of what is there"),
    clear_write_scope: flag("no write scope at all"),
    waiting_on: z.enum(WAITING_ON).nullish(),
    clear_waiting_on: flag("it waits for nobody"),
    agent_work_mode: words("AGENT=MODE"),
    dry_run: dryRun,
  })
  .openapi("ConfigureGoalRequest");

export const agentsBody = z
  .strictObject({
    agent_id: z.union([text, z.array(text).min(1)]).openapi({ description: "one agent, or several" }),
    require_new: flag("refuse an agent that is there already"),
    dry_run: dryRun,
  })
  .openapi("AgentsRequest");

export const spendBody = z
  .strictObject({
    agent_id: optional("the agent that spends"),
    todo_id: optional("the todo; the one that the written turn was about when it is left out"),
    turn_instance_id: optional("the turn. `Idempotency-Key` when it is left out"),
    ...cost,
    source: z.enum(SOURCES).nullish().openapi({ description: "who spends (heartbeat)" }),
    dry_run: dryRun,
  })
  .openapi("SpendRequest");

export const voidBody = z
  .strictObject({
    void_seq: count("number of the spend", 1),
    void_generated_at: optional("time of the spend"),
    reason_summary: text.openapi({ description: "why it is taken back" }),
    dry_run: dryRun,
  })
  .openapi("VoidRequest");

export const holdBody = z
  .strictObject({
    agent_id: optional("the agent that waits"),
    until: optional("the time it waits for"),
    minutes: amount("how long, from now", MOST_MINUTES),
    reason: optional("why it waits"),
    dry_run: dryRun,
  })
  .openapi("HoldRequest");

export const unholdBody = z
  .strictObject({ agent_id: optional("the agent that waits"), reason: optional("why it waits no longer"), dry_run: dryRun })
  .openapi("EndWaitRequest");

export type ConfigureBody = z.output<typeof configureBody>;
export type QuotaBody = z.output<typeof quotaBody>;
export type SpendBody = z.output<typeof spendBody>;
