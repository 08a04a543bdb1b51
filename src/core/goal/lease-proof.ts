/**
 * How whoever changes a lease shows that it is theirs: by its number, or in the reference's way by its key and version.
 *
 * Does not own: what a number that is over is answered (`fence.ts`), which facts follow (`lease.ts`).
 *
 * P1  Nothing about a lease changes without a proof: its number, or key and version together.
 * P2  A version that is named is the lease's, beside a number too.
 * P3  A lease that was taken without a key answers to the name it is shown under.
 */
import type { Lease } from "../events.ts";
import type { AgentId, TodoId, TurnId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import { type Fence, isLive, leaseKey, leaseOf } from "./fence.ts";
import type { GoalHead } from "./head.ts";

export interface LeaseProof {
  readonly agent_id: AgentId | null;
  readonly turn_id: TurnId | null;
  readonly epoch: number | null;
  /** `owner`: the name of the owner stands in for the key. */
  readonly key: string | "owner" | null;
  readonly version: number | null;
}

/** The fence that the change passes with, or why it does not. */
export function provenFence(
  head: GoalHead,
  { todo_id, proof, now }: { readonly todo_id: TodoId; readonly proof: LeaseProof; readonly now: Instant },
): Fence | Refusal {
  const { agent_id, turn_id, epoch, version } = proof;
  const lease = leaseOf(head, todo_id);
  if (epoch === null && version === null) return proofRequired(todo_id, lease, proof); // (P1)
  if (lease === null || (epoch === null && !isLive(lease, now))) return { agent_id, turn_id, epoch, key: null, version: null };
  return keyFlaw(head, lease, proof) ?? { agent_id, turn_id, epoch: epoch ?? lease.epoch, key: null, version: null };
}

/** A number that is not the newest is for the fence to answer. */
function keyFlaw(head: GoalHead, lease: Lease, { agent_id, epoch, key, version }: LeaseProof): Refusal | null {
  const details = detailsOf(lease);
  if (epoch !== null && epoch !== lease.epoch) return null;
  if (epoch === null && agent_id !== lease.owner) {
    return refuse("lease_cas_mismatch", `The lease of ${lease.todo_id} is ${lease.owner}'s.`, { details });
  }
  if (epoch === null && key === null) {
    return refuse("lease_fence_required", `The lease of ${lease.todo_id} is proven by its key and its version together.`, {
      details,
    });
  }
  if (epoch === null && key !== "owner" && key !== leaseKey(head.goal_id, lease)) {
    return refuse("lease_cas_mismatch", `That is not the key of the lease of ${lease.todo_id}.`, { details });
  }
  if (version === null || version === lease.version) return null;
  return refuse("version_mismatch", `The lease of ${lease.todo_id} has version ${lease.version} by now.`, { details }); // (P2)
}

function proofRequired(todo_id: TodoId, lease: Lease | null, { agent_id }: LeaseProof): Refusal {
  const own = lease !== null && agent_id === lease.owner;
  return refuse("version_required", `Say which lease of ${todo_id} is meant: its number, or its key and version.`, {
    details: { todo_id, ...(lease !== null && detailsOf(lease)) },
    fix: own ? `--lease-epoch ${lease.epoch}` : "--lease-epoch N",
  });
}

function detailsOf({ todo_id, owner, epoch, version, expires_at }: Lease): Readonly<Record<string, unknown>> {
  return { todo_id, holder: owner, current_epoch: epoch, current_version: version, expires_at };
}
