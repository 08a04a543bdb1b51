/**
 * Which facts follow when a lease is taken, renewed, moved or given back.
 *
 * Does not own: which todo an agent should take (`core/next`), the quota that is reserved with it (`core/quota`).
 *
 * S1  A todo has at most one live lease. Whoever loses is told who holds it.
 * S2  Each lease gets the next fencing number of its goal, also when it takes over one that ran out.
 * S3  A lease is given out only while no other that is live writes to the same files.
 * S4  After the clock was set back a lease has at most its own length left, counted from the first write that meets it.
 */
import type { GoalFact, Lease, LeaseEnd, TodoRecord } from "../events.ts";
import type { AgentId, TodoId } from "../id.ts";
import { addMilliseconds, type Instant, millisecondsBetween } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import { claimantOf, type Fence, fenceFlaw, isLive, leaseOf } from "./fence.ts";
import type { GoalHead, Todos } from "./head.ts";
import { excludedFrom, kindOf, ownerOf } from "./todo-traits.ts";
import { scopesOverlap } from "./write-scope.ts";

export type LeaseRequest = Pick<
  Lease,
  "todo_id" | "owner" | "instance" | "turn_id" | "ttl_ms" | "key" | "write_scopes" | "reserved"
>;

export type LeaseCommand =
  | { readonly kind: "take-lease"; readonly lease: LeaseRequest }
  | { readonly kind: "renew-lease"; readonly todo_id: TodoId; readonly ttl_ms: number | null; readonly fence: Fence }
  | {
      readonly kind: "move-lease";
      readonly todo_id: TodoId;
      readonly to: AgentId;
      readonly key: string | null;
      readonly fence: Fence;
    }
  /** Of every lease that the clock made longer than it is. */
  | { readonly kind: "clamp-leases" }
  | { readonly kind: "free-lease"; readonly todo_id: TodoId; readonly reason: LeaseEnd; readonly fence: Fence };

export interface LeaseState {
  readonly head: GoalHead;
  readonly todos: Todos;
  readonly now: Instant;
}

export function handleLease(state: LeaseState, command: LeaseCommand): readonly GoalFact[] | Refusal {
  switch (command.kind) {
    case "take-lease":
      return takeLease(state, command.lease);
    case "renew-lease":
      return onLive(state, command, (lease) => [renewal(lease, state.now, command.ttl_ms ?? lease.ttl_ms)]);
    case "move-lease":
      return onLive(state, command, (lease) => moveLease(state, { lease, to: command.to, key: command.key }));
    case "free-lease":
      return freeLease(state, command);
    case "clamp-leases":
      return clampLeases(state);
  }
}

function takeLease(state: LeaseState, wanted: LeaseRequest): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(wanted.todo_id);
  if (todo === undefined) return unknown(wanted.todo_id);
  const held = leaseOf(state.head, wanted.todo_id);
  if (held !== null && isLive(held, state.now)) return isSameHand(held, wanted) ? [] : leaseConflict(held); // (S1)
  return takeFlaw(state, { todo, wanted, held }) ?? taken(state, { todo, wanted, held });
}

interface Taking {
  readonly todo: TodoRecord;
  readonly wanted: LeaseRequest;
  /** One that ran out. */
  readonly held: Lease | null;
}

/** (S4) */
function clampLeases({ head, now }: LeaseState): readonly GoalFact[] {
  const tooLong = Object.values(head.leases).filter((lease) => millisecondsBetween(now, lease.expires_at) > lease.ttl_ms);
  return tooLong.map((lease) => renewal(lease, now, lease.ttl_ms));
}

/** The same agent asks again, in the same execution and turn. */
export function isSameHand(held: Lease, wanted: Pick<LeaseRequest, "owner" | "instance" | "turn_id" | "key">): boolean {
  return (
    held.owner === wanted.owner && held.instance === wanted.instance && held.turn_id === wanted.turn_id && held.key === wanted.key
  );
}

export function leaseConflict(held: Lease): Refusal {
  return refuse("todo_lease_conflict", `${held.todo_id} is leased to ${held.owner} until ${held.expires_at}.`, {
    details: { todo_id: held.todo_id, holder: held.owner, current_epoch: held.epoch, expires_at: held.expires_at },
    fix: "loopx next",
  });
}

function takeFlaw(state: LeaseState, { todo, wanted, held }: Taking): Refusal | null {
  const { todo_id } = todo;
  const kind = kindOf(todo);
  if (todo.status !== "open" || todo.archived) {
    return refuse("todo_not_open", `${todo_id} is ${todo.archived ? "archived" : todo.status}.`, {
      details: { todo_id, status: todo.status },
    });
  }
  if (kind === "gate" || kind === "action") {
    return refuse("todo_for_person", `${todo_id} is for a person.`, { details: { todo_id, kind }, fix: "loopx gate list" });
  }
  if (excludedFrom(todo).includes(wanted.owner)) {
    return refuse("agent_excluded", `${wanted.owner} is excluded from ${todo_id}.`, {
      details: { todo_id, agent_id: wanted.owner },
    });
  }
  const claimant = claimantOf(todo, held);
  if (claimant !== null && claimant !== wanted.owner) {
    return refuse("todo_claimed", `${todo_id} is claimed by ${claimant}.`, {
      details: { todo_id, holder: claimant },
      fix: "loopx next",
    });
  }
  return scopeFlaw(state, wanted);
}

/** (S3) */
function scopeFlaw({ head, now }: LeaseState, wanted: LeaseRequest): Refusal | null {
  const rival = Object.values(head.leases).find(
    (other) => other.todo_id !== wanted.todo_id && isLive(other, now) && scopesOverlap(other.write_scopes, wanted.write_scopes),
  );
  if (rival === undefined) return null;
  return refuse("write_scope_conflict", `${rival.owner} works on ${rival.todo_id}, which writes to the same files.`, {
    details: { todo_id: wanted.todo_id, holder: rival.owner, other_todo_id: rival.todo_id, write_scopes: rival.write_scopes },
    fix: "loopx next",
  });
}

/** (S2) */
function taken({ head, now }: LeaseState, { todo, wanted, held }: Taking): readonly GoalFact[] {
  const { todo_id, ttl_ms } = wanted;
  const ended: readonly GoalFact[] =
    held === null ? [] : [{ type: "lease.freed", data: { todo_id, epoch: held.epoch, reason: "expired" } }];
  const isRendering = held !== null && ownerOf(todo) === held.owner;
  const claimed_before = isRendering ? held.claimed_before : todo.metadata["claimed_by"];
  const lease: Lease = {
    ...wanted,
    epoch: head.fence + 1,
    version: 1,
    taken_at: now,
    renewed_at: now,
    expires_at: addMilliseconds(now, ttl_ms),
    ...(claimed_before !== undefined && { claimed_before }),
  };
  return [...ended, { type: "lease.taken", data: lease }];
}

function renewal(lease: Lease, now: Instant, ttl_ms: number): GoalFact {
  const { todo_id, epoch, version } = lease;
  return {
    type: "lease.renewed",
    data: { todo_id, epoch, version: version + 1, ttl_ms, expires_at: addMilliseconds(now, ttl_ms) },
  };
}

function moveLease(
  { head, now, todos }: LeaseState,
  { lease, to, key }: { readonly lease: Lease; readonly to: AgentId; readonly key: string | null },
): readonly GoalFact[] | Refusal {
  const todo = todos.get(lease.todo_id);
  if (todo !== undefined && excludedFrom(todo).includes(to)) {
    return refuse("agent_excluded", `${to} is excluded from ${lease.todo_id}.`, {
      details: { todo_id: lease.todo_id, agent_id: to },
    });
  }
  const { turn_id: _turn, instance: _instance, key: _key, claimed_before: _before, ...rest } = lease;
  const moved: Lease = {
    ...rest,
    owner: to,
    ...(key !== null && { key }),
    epoch: head.fence + 1, // (S2)
    version: 1,
    renewed_at: now,
    expires_at: addMilliseconds(now, lease.ttl_ms),
  };
  return [{ type: "lease.moved", data: { ...moved, from: lease.owner } }];
}

function freeLease(
  state: LeaseState,
  { todo_id, reason, fence }: Extract<LeaseCommand, { kind: "free-lease" }>,
): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return unknown(todo_id);
  const lease = leaseOf(state.head, todo_id);
  if (lease === null) return fence.epoch === null ? [] : (fenceFlaw(state.head, todo, { fence, now: state.now }) ?? []);
  const flaw = fenceFlaw(state.head, todo, { fence, now: state.now });
  return flaw ?? [{ type: "lease.freed", data: { todo_id, epoch: lease.epoch, reason } }];
}

function onLive(
  state: LeaseState,
  { todo_id, fence }: { readonly todo_id: TodoId; readonly fence: Fence },
  facts: (lease: Lease) => readonly GoalFact[] | Refusal,
): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(todo_id);
  if (todo === undefined) return unknown(todo_id);
  const flaw = fenceFlaw(state.head, todo, { fence, now: state.now });
  if (flaw !== null) return flaw;
  const lease = leaseOf(state.head, todo_id);
  if (lease !== null && isLive(lease, state.now)) return facts(lease);
  return refuse(
    "lease_not_live",
    lease === null ? `Nobody holds a lease of ${todo_id}.` : `The lease of ${todo_id} ran out at ${lease.expires_at}.`,
    {
      details: { todo_id, holder: null },
      fix: "loopx claim",
    },
  );
}

function unknown(todo_id: TodoId): Refusal {
  return refuse("unknown_todo", `The goal has no todo ${todo_id}.`, { details: { todo_id }, fix: "loopx todo list" });
}
