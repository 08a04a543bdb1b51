/** What writes about a lease take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, optional, text, words } from "./fields.ts";

const DAY_SECONDS = 86_400;

const change = {
  agent_id: optional("the agent that holds the lease"),
  lease_epoch: count("fencing number of the lease", 1),
  expected_version: count("version of the lease", 1),
  turn_instance_id: optional("the turn"),
  dry_run: dryRun,
} as const;

const idempotency_key = optional("key of the lease, with expected_version");

export const leaseAcquireBody = z
  .strictObject({
    agent_id: optional("the agent that will work"),
    instance: optional("which execution of the agent asks"),
    available_capability: words("what the agent can do beyond shell and files"),
    turn_instance_id: optional("the turn; it claims once"),
    idempotency_key: optional("key of the lease. `Idempotency-Key` when it is left out"),
    ttl_seconds: amount("how long the lease runs", DAY_SECONDS),
    write_scope: words("what the work writes to; those of the todo when it is left out"),
  })
  .openapi("LeaseAcquireRequest");

export const leaseRenewBody = z
  .strictObject({
    ...change,
    idempotency_key,
    ttl_seconds: amount("from now; as long as it was taken for when it is left out", DAY_SECONDS),
  })
  .openapi("LeaseRenewRequest");

export const leaseTransferBody = z
  .strictObject({
    ...change,
    to: text.openapi({ description: "the agent that gets it" }),
    idempotency_key: optional("key of the next owner's lease"),
  })
  .openapi("LeaseTransferRequest");

export const leaseReleaseBody = z.strictObject({ ...change, idempotency_key }).openapi("LeaseReleaseRequest");

export type LeaseAcquireBody = z.output<typeof leaseAcquireBody>;

/** What changes of a lease have in common. */
export type LeaseChangeBody = z.output<typeof leaseReleaseBody>;
