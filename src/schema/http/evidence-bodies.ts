/** What writes about evidence and about looking things up take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, flag, optional, text } from "./fields.ts";

const MOST_WORDS = 256;

export const verifyBody = z
  .strictObject({
    agent_id: optional("the agent whose work it is"),
    turn_instance_id: optional("the turn. `Idempotency-Key` when it is left out"),
    lease_epoch: count("fencing number of the lease", 1),
    no_cache: flag("run the checks also where they passed before"),
    dry_run: dryRun,
  })
  .openapi("VerifyRequest");

/** A file of the server's machine is not read for whoever asks: the output is in the body. */
export const evidenceBody = z
  .strictObject({
    agent_id: optional("the agent that did it"),
    todo_id: optional("the todo it is about"),
    label: text.openapi({ description: "what it shows" }),
    command: z.array(z.string()).max(MOST_WORDS).nullish().openapi({ description: "the arguments of the command that was run" }),
    exit_code: z.int().min(0).max(255).nullish(),
    duration_seconds: amount("how long it took"),
    output: optional("what it printed"),
    note: optional("kept with it"),
    lease_epoch: count("fencing number of the lease", 1),
    idempotency_key: optional("`Idempotency-Key` when it is left out"),
    dry_run: dryRun,
  })
  .openapi("EvidenceRequest");

export const pollBody = z
  .strictObject({
    agent_id: optional("the agent that looked"),
    todo_id: optional("the monitor that was looked at; whatever is due when it is left out"),
    target_key: optional("the same, by what it looks at"),
    result_hash: optional("digest of what was seen; its own command is run when it is left out"),
    material_change: flag("whether what was seen matters; digests are compared when it is left out"),
    dry_run: dryRun,
  })
  .openapi("PollRequest");

export type EvidenceBody = z.output<typeof evidenceBody>;
export type PollBody = z.output<typeof pollBody>;
