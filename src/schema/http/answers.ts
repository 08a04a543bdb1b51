/**
 * What the routes answer. Rows pass through as the use cases made them, so objects accept keys that are not named here.
 */
import { z } from "@hono/zod-openapi";

const row = z.looseObject({ goal_id: z.string() });
export const problem: z.ZodType = z.looseObject({ code: z.string(), message: z.string() });
const leftOut = z.looseObject({}).nullable();
const count = z.number().int().min(0);

export const noAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(false),
    code: z.string().min(1),
    message: z.string().min(1),
    fix: z.string().nullable(),
    retry: z.boolean(),
    problems: z.array(problem).optional(),
    near: z.array(z.string()).optional(),
    routes: z.array(z.string()).optional(),
  })
  .openapi("No");

const latestRun = z.looseObject({
  generated_at: z.string().nullable(),
  classification: z.string(),
  recommended_action: z.string(),
});

const fix = z.union([z.looseObject({ command: z.string(), safe: z.boolean() }), z.looseObject({ person: z.string() })]);

export const driftRow: z.ZodType = z
  .looseObject({
    goal_id: z.string(),
    kind: z.string(),
    severity: z.enum(["high", "action", "watch", "info"]),
    declared: z.string(),
    observed: z.string(),
    since: z.string(),
    fix,
  })
  .openapi("Drift");

const statusGoal = z
  .looseObject({
    goal_id: z.string(),
    activation: z.string().optional(),
    run_count: count.optional(),
    next_action: z.unknown(),
    latest_run: latestRun.nullable().optional(),
    todos: z.looseObject({ open: count, waiting_for_person: count }).optional(),
    drift: z.array(driftRow).optional(),
    problems: z.array(z.looseObject({ message: z.string() })).optional(),
  })
  .openapi("StatusGoal");

export const statusAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    registry: z.string(),
    runtime_root: z.string(),
    goal_count: count,
    goals: z.array(statusGoal),
    attention_queue: z.array(row),
    left_out: leftOut,
  })
  .openapi("Status");

export const goalsAnswer: z.ZodType = z.looseObject({ ok: z.literal(true), goals: z.array(row) }).openapi("Goals");

export const goalAnswer: z.ZodType = z.looseObject({ ok: z.literal(true) }).openapi("Goal");

export const historyAnswer: z.ZodType = z
  .looseObject({ ok: z.literal(true), runs: z.array(z.looseObject({ generated_at: z.string().nullable() })) })
  .openapi("History");

export const driftAnswer: z.ZodType = z.looseObject({ ok: z.boolean(), drift: z.array(driftRow) }).openapi("DriftList");

export const indexAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    source: z.literal("serve-status"),
    version: z.string(),
    status_url: z.string(),
    health_url: z.string(),
    routes: z.array(z.string()),
  })
  .openapi("Index");

export const healthAnswer: z.ZodType = z
  .looseObject({
    ok: z.boolean(),
    version: z.string().optional(),
    pid: count.optional(),
    last_look_ms_ago: count,
    event_clients: count,
    code: z.string().optional(),
    message: z.string().optional(),
  })
  .openapi("Health");

/** `data` of one event on `/events`; its `id` is `pos`. */
export const eventData: z.ZodType = z
  .looseObject({
    pos: z.string(),
    goal_id: z.string(),
    generation: count,
    seq: count,
    at: z.string(),
    type: z.string(),
    data: z.looseObject({}),
  })
  .openapi("Event");

export const openApiAnswer: z.ZodType = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
  .openapi("OpenApi");
