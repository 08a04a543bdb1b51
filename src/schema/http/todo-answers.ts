/** What the routes of todos and gates answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";
import { lease } from "./decision-answers.ts";

const count = z.number().int().min(0);
const commands = z.array(z.string());

const todo = z
  .looseObject({
    todo_id: z.string(),
    role: z.enum(["user", "agent"]),
    kind: z.enum(["work", "monitor", "blocker", "gate", "action"]),
    status: z.string(),
    text: z.string(),
    priority: z.number().nullable(),
    claimed_by: z.string().nullable(),
    archived: z.boolean(),
    metadata: z.record(z.string(), z.string()),
  })
  .openapi("Todo");

export const todoWrittenAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    todo_id: z.string(),
    added: z.boolean(),
    changed: z.boolean(),
    already_exists: z.boolean(),
    idempotent_replay: z.boolean(),
    dry_run: z.boolean(),
    status: z.string(),
    claimed_by: z.string().nullable(),
    todo,
    next_todos: z.array(todo),
    texts_shortened: count,
    warnings: z.array(problem),
  })
  .openapi("TodoWritten");

export const todosAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    todos: z.array(todo),
    todo_count: count,
    left_out: z.looseObject({ todos: count, texts: count, cursor: z.string().nullable(), get: commands }),
    problems: z.array(problem),
  })
  .openapi("Todos");

const whyNot = z.looseObject({ code: z.string(), message: z.string() });

export const todoAnswer: z.ZodType = z
  .looseObject({ ok: z.literal(true), goal_id: z.string(), todo, lease: lease.nullable(), why_not: whyNot.nullable() })
  .openapi("TodoShown");

export const todosArchivedAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    dry_run: z.boolean(),
    moved_count: count,
    active_done: count,
  })
  .openapi("TodosArchived");

const waiting = z.looseObject({
  goal_id: z.string(),
  todo_id: z.string(),
  kind: z.enum(["gate", "action"]),
  text: z.string(),
  priority: z.number().nullable(),
  since: z.string().nullable(),
  options: z.array(z.string()),
  holds_up: z.looseObject({ scope: z.enum(["goal", "agents", "todos", "decision", "nothing"]) }),
  expired: z.boolean(),
  commands,
});

export const gatesAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_filter: z.string().nullable(),
    gates: z.array(waiting),
    gate_count: count,
    goals_looked_at: count,
    left_out: z.looseObject({ gates: count, cursor: z.string().nullable(), get: commands }),
    problems: z.array(problem),
  })
  .openapi("Gates");

export const gateDecidedAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    todo_id: z.string(),
    changed: z.boolean(),
    dry_run: z.boolean(),
    decision: z.looseObject({ outcome: z.string(), at: z.string(), reason: z.string().nullable(), by: z.string() }),
    todo,
    affected: z.array(z.looseObject({ todo_id: z.string(), status: z.string(), waits: z.boolean() })),
    affected_count: count,
    warnings: z.array(problem),
  })
  .openapi("GateDecided");
