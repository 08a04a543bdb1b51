/** What writes answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { driftRow, problem } from "./answers.ts";

const edited = {
  ok: z.literal(true),
  goal_id: z.string(),
  changed: z.boolean(),
  dry_run: z.boolean(),
  registry: z.string(),
  warnings: z.array(problem),
};

export const refreshAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    dry_run: z.boolean(),
    appended: z.boolean(),
    idempotent_replay: z.boolean(),
    registry: z.string(),
    runtime_root: z.string(),
    goal_id: z.string(),
    classification: z.string(),
    recommended_action: z.string(),
    generated_at: z.string(),
    agent_id: z.string().nullable(),
    json_path: z.string().nullable(),
    warnings: z.array(problem),
  })
  .openapi("Refreshed");

export const refreshAllAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    dry_run: z.boolean(),
    registry: z.string(),
    runtime_root: z.string(),
    goal_count: z.number().int().min(0),
    refreshed: z.array(z.looseObject({ goal_id: z.string(), events: z.number().int().min(0) })),
    refused: z.array(problem),
  })
  .openapi("RefreshedAll");

export const goalRemoveAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    changed: z.boolean(),
    dry_run: z.boolean(),
    registry: z.string(),
    kept: z.looseObject({ state_file: z.string().nullable(), runtime: z.string().nullable() }),
    next_commands: z.array(z.string()),
  })
  .openapi("GoalRemoved");

export const goalAddAnswer: z.ZodType = z
  .looseObject({
    ...edited,
    runtime_root: z.string(),
    state_file: z.string().nullable(),
    state_action: z.enum(["created", "adopted", "kept"]),
    next_commands: z.array(z.string()),
  })
  .openapi("GoalAdded");

export const activationAnswer: z.ZodType = z
  .looseObject({
    ...edited,
    before: z.enum(["active", "stopped"]),
    activation: z.enum(["active", "stopped"]),
    reason: z.string().nullable(),
  })
  .openapi("Activation");

const fixed = z.looseObject({
  goal_id: z.string(),
  kind: z.string(),
  outcome: z.enum(["fixed", "would_fix", "not_fixed"]),
  message: z.string(),
});

export const driftFixAnswer: z.ZodType = z
  .looseObject({ ok: z.literal(true), fixed: z.array(fixed), dry_run: z.boolean(), drift: z.array(driftRow) })
  .openapi("DriftFixed");
