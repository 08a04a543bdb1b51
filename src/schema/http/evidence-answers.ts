/** What the routes of evidence and of looking things up answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";

const count = z.number().int().min(0);
const commands = z.array(z.string());
const about = z.looseObject({ goal_id: z.string(), todo_id: z.string() });

const evidence = z
  .looseObject({
    seq: count,
    at: z.string(),
    agent_id: z.string().nullable(),
    todo_id: z.string().nullable(),
    label: z.string(),
    argv: z.array(z.string()),
    outcome: z.string(),
    exit_code: z.number().nullable(),
    duration_ms: z.number().min(0),
    note: z.string().nullable(),
  })
  .openapi("Evidence");

export const evidenceAddedAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    added: z.boolean(),
    idempotent_replay: z.boolean(),
    dry_run: z.boolean(),
    evidence: evidence.partial().nullable(),
    dropped_bytes: count,
    warnings: z.array(problem),
  })
  .openapi("EvidenceAdded");

export const evidenceListAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    todo_id: z.string().nullable(),
    evidence: z.array(evidence),
    left_out: z.looseObject({ more: z.boolean(), cursor: z.string().nullable(), get: commands }),
  })
  .openapi("EvidenceList");

export const evidenceShowAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    evidence,
    output_text: z.string().nullable(),
    problems: z.array(problem),
  })
  .openapi("EvidenceShown");

const ledgerRow = z.looseObject({ at: z.string().nullable(), kind: z.string(), todo_id: z.string().nullable() });

export const evidenceLogAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string(),
    thin: z.boolean(),
    matched_count: count,
    ledger: z.array(ledgerRow),
    truncated: z.boolean(),
    oldest_at: z.string().nullable(),
  })
  .openapi("EvidenceLog");

export const verifyAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    todo_id: z.string(),
    verified: z.boolean(),
    checks: z.array(z.looseObject({ label: z.string(), outcome: z.string(), fresh: z.boolean(), cached: z.boolean() })),
    tree_hash: z.string().nullable(),
    dry_run: z.boolean(),
    then: commands,
    warnings: z.array(problem),
  })
  .openapi("Verified");

export const pollAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    dry_run: z.boolean(),
    goals_looked_at: count,
    polled: z.array(
      about.extend({
        changed: z.boolean(),
        consecutive_no_change: count,
        next_due_at: z.string().nullable(),
        next_todos: z.array(z.string()),
      }),
    ),
    woken: z.array(about),
    not_met: z.array(about),
    ended: z.array(about),
    decided: z.array(about.extend({ outcome: z.string() })),
    warnings: z.array(problem),
  })
  .openapi("Polled");
