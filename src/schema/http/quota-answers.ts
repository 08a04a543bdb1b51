/** What the routes of a goal's settings and of spending answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";

const count = z.number().int().min(0);
const amount = z.number().min(0);
const commands = z.array(z.string());

const edited = {
  ok: z.literal(true),
  changed: z.boolean(),
  changed_fields: z.array(z.string()),
  dry_run: z.boolean(),
  written: z.boolean(),
  registry: z.string(),
};

const settings = z.looseObject({
  profile: z.string(),
  compute: amount,
  window_hours: amount,
  slot_minutes: amount,
  allowed_slots: count,
  tokens: z.number().nullable(),
  wall_minutes: z.number().nullable(),
  limits: z.record(z.string(), amount),
});

export const quotaAnswer: z.ZodType = z
  .looseObject({
    ...edited,
    goal_id: z.string().nullable(),
    before: settings.nullable(),
    after: settings,
    warnings: z.array(problem),
  })
  .openapi("QuotaSet");

const configuration = z.looseObject({ registered_agents: z.array(z.string()), left_out: count });

export const configuredAnswer: z.ZodType = z
  .looseObject({ ...edited, goal_id: z.string(), before: configuration, after: configuration })
  .openapi("GoalConfigured");

const row = {
  goal_id: z.string(),
  state: z.string(),
  why: z.string(),
  compute: z.number().nullable(),
  spent_slots: amount,
  allowed_slots: z.number().nullable(),
  next_eligible_at: z.string().nullable(),
};

const measured = z.looseObject({
  name: z.string(),
  used: z.number().nullable(),
  limit: z.number().nullable(),
  percent: z.number().nullable(),
});

export const goalQuotaAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    ...row,
    because: z.string(),
    units: z.array(measured),
    limits: z.array(measured),
    problems: z.array(problem),
  })
  .openapi("GoalQuota");

export const quotaStatusAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_count: count,
    groups: z.array(z.looseObject({ state: z.string(), goals: z.array(z.looseObject(row)) })),
    next_automatic_turn: z.string().nullable(),
    left_out: z.looseObject({ goals: count, cursor: z.string().nullable(), get: commands }),
  })
  .openapi("QuotaStatus");

export const quotaPlanAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_count: count,
    goals_asked: count,
    summary: z.record(z.string(), count),
    next_automatic_turn: z.looseObject(row).nullable(),
    in_line: z.array(z.looseObject(row)),
    then: commands,
  })
  .openapi("QuotaPlan");

export const shouldRunAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    mode: z.literal("should-run"),
    goal_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    decision: z.string(),
    should_run: z.boolean(),
    effective_action: z.string(),
    state: z.string(),
    reason: z.string(),
    act: z.string(),
    why: z.string(),
    selected_todo: z.looseObject({ todo_id: z.string(), text: z.string() }).nullable(),
  })
  .openapi("ShouldRun");

const units = z.looseObject({ slots: amount, tokens: amount, wall_ms: amount });
const standing = z.looseObject({ state: z.string(), spent_slots: amount }).nullable();

const spending = {
  ok: z.literal(true),
  goal_id: z.string(),
  appended: z.boolean(),
  dry_run: z.boolean(),
  units,
  reason: z.string(),
  before: standing,
  after: standing,
  warnings: z.array(problem),
};

export const spendAnswer: z.ZodType = z
  .looseObject({
    ...spending,
    mode: z.literal("spend-slot"),
    agent_id: z.string().nullable(),
    todo_id: z.string().nullable(),
    turn_instance_id: z.string().nullable(),
    idempotent_replay: z.boolean(),
    spent_seq: z.number().nullable(),
    then: commands,
  })
  .openapi("Spent");

export const voidAnswer: z.ZodType = z
  .looseObject({ ...spending, mode: z.literal("void-slot"), voided_seq: count })
  .openapi("Voided");

export const waitAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string(),
    appended: z.boolean(),
    dry_run: z.boolean(),
    until: z.string().nullable(),
    reason: z.string(),
    then: commands,
    warnings: z.array(problem),
  })
  .openapi("Waits");
