/** What the routes of a turn and of a goal's settings answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";

const ACTS = ["run", "poll", "replan", "repair", "ask", "wait", "stop"] as const;

const count = z.number().int().min(0);
const amount = z.number().min(0);
const commands = z.array(z.string());

const shownTodo = z.looseObject({
  todo_id: z.string(),
  text: z.string(),
  priority: z.number().nullable(),
  task_class: z.string().nullable(),
});

const wait = z.looseObject({ reason: z.string(), until: z.string(), minutes: z.number(), token: z.string() }).nullable();
const tell = z
  .looseObject({
    todo_ids: z.array(z.string()),
    todo_ids_left_out: count.optional(),
    text: z.string(),
    commands,
    token: z.string(),
  })
  .nullable();

const decided = { act: z.enum(ACTS), why: z.string(), because: z.string(), wait, tell, token: z.string() };

export const nextAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    ...decided,
    todo: shownTodo.extend({ claimed_by: z.string().nullable(), lease_epoch: count.optional() }).nullable(),
    then: commands,
    quota: z
      .looseObject({
        spent: amount,
        reserved: amount,
        allowed: z.number().nullable(),
        next_eligible_at: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi("Decision");

export const lease = z.looseObject({
  key: z.string(),
  owner: z.string(),
  epoch: count,
  version: count,
  expires_at: z.string(),
  ttl_seconds: amount,
});

export const claimAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string(),
    claimed: z.boolean(),
    idempotent_replay: z.boolean(),
    dry_run: z.boolean(),
    todo: shownTodo.nullable(),
    lease: lease.nullable(),
    decision: z.looseObject(decided).nullable(),
    then: commands,
    warnings: z.array(problem),
    left_out: z.looseObject({ texts: count, metadata: count, get: commands }).optional(),
  })
  .openapi("Claimed");

const evidence = z.looseObject({
  label: z.string().optional(),
  outcome: z.string(),
  exit_code: z.number().nullable().optional(),
  duration_ms: amount,
});

export const doneAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    todo_id: z.string(),
    changed: z.boolean(),
    idempotent_replay: z.boolean(),
    dry_run: z.boolean(),
    status: z.string(),
    completed_at: z.string().nullable(),
    next_todos: z.array(z.string()),
    no_follow_up: z.string().nullable(),
    evidence: z.array(evidence),
    spent: z.looseObject({ slots: amount, tokens: amount, wall_ms: amount }).nullable(),
    then: commands,
    warnings: z.array(problem),
  })
  .openapi("Done");

const moment = z.looseObject({ seq: count, time: z.string() });

export const whyAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    at: moment,
    act: z.enum(ACTS),
    why: z.string(),
    because: z.string(),
    rule: z.string(),
    todo_id: z.string().nullable(),
    facts: z.array(z.looseObject({ about: z.string(), says: z.string() })),
    passed: z.array(z.string()),
    wait_until: z.string().nullable(),
    then: commands,
    token: z.string(),
  })
  .openapi("Why");

export const diagnosisAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    machine_signal: z.string(),
    decision: z.string(),
    state: z.string(),
    reason: z.string(),
    act: z.enum(ACTS),
    why: z.string(),
    rule: z.string(),
    evidence: z.array(z.looseObject({ about: z.string(), says: z.string() })),
    commands,
  })
  .openapi("Diagnosis");

export const whyNotAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    at: moment,
    todo: z.looseObject({ todo_id: z.string(), text: z.string(), status: z.string(), claimed_by: z.string().nullable() }),
    may_be_done: z.boolean(),
    code: z.string().nullable(),
    message: z.string(),
    change: z.string().nullable(),
    by: z.string().nullable(),
    then: commands,
  })
  .openapi("WhyNot");
