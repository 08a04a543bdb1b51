/** What the routes of leases answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";
import { lease } from "./decision-answers.ts";

const count = z.number().int().min(0);
const commands = z.array(z.string());

const held = lease.extend({
  todo_id: z.string(),
  status: z.enum(["active", "ended", "released"]),
  write_scopes: z.array(z.string()),
  taken_at: z.string(),
  renewed_at: z.string(),
});

const shownLease = {
  ok: z.literal(true),
  goal_id: z.string(),
  todo_id: z.string(),
  lease: held.nullable(),
  active: z.boolean(),
  then: commands,
};

export const leaseChangeAnswer: z.ZodType = z
  .looseObject({
    ...shownLease,
    idempotent: z.boolean(),
    changed: z.boolean(),
    dry_run: z.boolean(),
    warnings: z.array(problem),
  })
  .openapi("LeaseChanged");

export const leaseAnswer: z.ZodType = z
  .looseObject({
    ...shownLease,
    todo_status: z.string(),
    claimed_by: z.string().nullable(),
    effective: z.boolean(),
    why_not_effective: z.string().nullable(),
  })
  .openapi("Lease");

export const leasesAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    goal_id: z.string(),
    agent_id: z.string().nullable(),
    lease_count: count,
    active_count: count,
    leases: z.array(held),
    left_out: z.looseObject({ leases: count, cursor: z.string().nullable(), get: commands }),
  })
  .openapi("Leases");
