/**
 * Who may write about a todo that is leased: the fencing number decides, not the name alone.
 *
 * K1  A write with another fencing number than the newest is refused and told who owns the todo now.
 * K2  A write without a number passes when nobody holds the todo, or when it comes from the owner and the lease was taken
 *     without a turn, or in the same turn: then it is the same hand.
 * K3  A lease that ran out and that nobody took over still answers to its number: no one else has acted.
 * K4  A claim that is only the rendering of a lease ends with it; one that a person wrote stays.
 */
import type { Lease, TodoRecord } from "../events.ts";
import { type AgentId, parseAgentId, type TurnId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import type { GoalHead } from "./head.ts";
import { ownerOf } from "./todo-traits.ts";

export interface Fence {
  readonly agent_id: AgentId | null;
  readonly turn_id: TurnId | null;
  /** The fencing number the caller was given; null: it names none. */
  readonly epoch: number | null;
  /** The reference's way: the key the lease was taken with, and its version. */
  readonly key: string | null;
  readonly version: number | null;
}

export const NO_FENCE: Fence = { agent_id: null, turn_id: null, epoch: null, key: null, version: null };

export function isLive(lease: Lease, now: Instant): boolean {
  return lease.expires_at > now;
}

/** Null: live or not, the todo has no lease. */
export function leaseOf(head: Pick<GoalHead, "leases">, todoId: string): Lease | null {
  return Object.hasOwn(head.leases, todoId) ? (head.leases[todoId] ?? null) : null;
}

/** (K4) Who claimed the todo besides its lease; null: nobody did. */
export function claimantOf(todo: Pick<TodoRecord, "metadata">, lease: Lease | null): AgentId | null {
  const owner = ownerOf(todo);
  if (lease === null || owner !== lease.owner) return owner;
  return lease.claimed_before === undefined ? null : parseAgentId(lease.claimed_before);
}

/** Whoever let a lease run out has the todo no longer, although its claim stands in the file until somebody takes over. */
export function holderOf(todo: Pick<TodoRecord, "metadata">, lease: Lease | null, now: Instant): AgentId | null {
  return lease === null || isLive(lease, now) ? ownerOf(todo) : claimantOf(todo, lease);
}

/** Null: the write may pass. */
export function fenceFlaw(
  head: GoalHead,
  todo: TodoRecord,
  { fence, now }: { readonly fence: Fence; readonly now: Instant },
): Refusal | null {
  const lease = leaseOf(head, todo.todo_id);
  if (fence.epoch !== null) return epochFlaw(todo, lease, { ...fence, epoch: fence.epoch });
  if (lease === null || !isLive(lease, now)) return claimFlaw(todo, { holder: claimantOf(todo, lease), fence });
  if (fence.key !== null || fence.version !== null) return keyFlaw(lease, fence, leaseKey(head.goal_id, lease));
  const same = fence.agent_id === lease.owner && (lease.turn_id === undefined || lease.turn_id === fence.turn_id);
  return same ? null : fenceRequired(lease, fence); // (K2)
}

/** Null: whoever finishes the todo, or has finished it, may say so. */
export function finishFlaw(
  head: GoalHead,
  todo: TodoRecord,
  by: { readonly fence: Fence; readonly now: Instant },
): Refusal | null {
  return todo.status === "done" ? lateFlaw(todo, by.fence) : fenceFlaw(head, todo, by);
}

/** (K1) For a todo that is closed, where no lease is left to compare with: was the number the one that closed it? */
export function lateFlaw(todo: TodoRecord, { epoch }: Fence): Refusal | null {
  const newest = todo.lease_epoch ?? 0;
  return epoch === null || epoch === newest ? null : stale(todo, null, { given: epoch, newest });
}

/** (K1, K3) */
function epochFlaw(todo: TodoRecord, lease: Lease | null, fence: Fence & { readonly epoch: number }): Refusal | null {
  const newest = todo.lease_epoch ?? 0;
  if (lease === null || fence.epoch !== newest) return stale(todo, lease, { given: fence.epoch, newest });
  return fence.agent_id === null || fence.agent_id === lease.owner ? null : stale(todo, lease, { given: fence.epoch, newest });
}

function stale(
  todo: TodoRecord,
  lease: Lease | null,
  { given, newest }: { readonly given: number; readonly newest: number },
): Refusal {
  const holder = lease?.owner ?? ownerOf(todo);
  const now = holder === null ? "nobody holds it now" : `${holder} holds it now`;
  return refuse(
    "stale_epoch",
    `The lease with number ${given} of ${todo.todo_id} is over (the newest number is ${newest}): ${now}.`,
    {
      details: {
        todo_id: todo.todo_id,
        holder,
        lease_epoch: given,
        current_epoch: newest,
        expires_at: lease?.expires_at ?? null,
      },
      fix: "loopx next",
    },
  );
}

function keyFlaw(lease: Lease, { key, version }: Fence, shown: string): Refusal | null {
  const details = { todo_id: lease.todo_id, holder: lease.owner, current_epoch: lease.epoch, current_version: lease.version };
  if (key === null || version === null) {
    return refuse("lease_fence_required", `The lease of ${lease.todo_id} is proven by its key and its version together.`, {
      details,
    });
  }
  if (key !== shown) return refuse("lease_cas_mismatch", `That is not the key of the lease of ${lease.todo_id}.`, { details });
  if (version === lease.version) return null;
  return refuse("version_mismatch", `The lease of ${lease.todo_id} has version ${lease.version} by now.`, { details });
}

function fenceRequired(lease: Lease, fence: Fence): Refusal {
  const details = { todo_id: lease.todo_id, holder: lease.owner, current_epoch: lease.epoch, expires_at: lease.expires_at };
  if (fence.agent_id === lease.owner) {
    return refuse(
      "lease_fence_required",
      `${lease.todo_id} is leased in another turn of ${lease.owner}: name the lease's number.`,
      {
        details,
        fix: `--lease-epoch ${lease.epoch}`,
      },
    );
  }
  return refuse("todo_lease_conflict", `${lease.todo_id} is leased to ${lease.owner} until ${lease.expires_at}.`, {
    details,
    fix: "loopx next",
  });
}

/** A claim without a lease, for example one written by hand, keeps other agents away, and no person. */
function claimFlaw(
  todo: TodoRecord,
  { holder, fence }: { readonly holder: AgentId | null; readonly fence: Fence },
): Refusal | null {
  if (fence.agent_id === null || holder === null || holder === fence.agent_id) return null;
  return refuse("todo_claimed", `${todo.todo_id} is claimed by ${holder}.`, {
    details: { todo_id: todo.todo_id, holder },
    fix: "loopx next",
  });
}

/** What is leased, and where: the key it was taken with, else a name of it for the whole fleet. */
export function leaseKey(goalId: string, { key, todo_id }: Pick<Lease, "key" | "todo_id">): string {
  return key ?? `${goalId}/${todo_id}`;
}
