/** What writes about a lease take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, optional, text } from "./fields.ts";

const DAY_SECONDS = 86_400;

const change = {
  agent_id: optional("the agent that holds the lease"),
  lease_epoch: count("fencing number of the lease", 1),
  expected_version: count("version of the lease", 1),
  turn_instance_id: optional("the turn"),
  dry_run: dryRun,
} as const;

const idempotency_key = optional("key of the lease, with expected_version");

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

/** What they have in common. */
export type LeaseChangeBody = z.output<typeof leaseReleaseBody>;
