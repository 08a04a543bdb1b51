/** What is told of leases: one with how it stands, and the page of all of a goal. */
import { loopxCommand } from "../command-line.ts";
import type { Lease, TodoRecord } from "../events.ts";
import { isLive } from "../goal/fence.ts";
import { excludedFrom, ownerOf } from "../goal/todo-traits.ts";
import type { AgentId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Problem } from "../result.ts";
import { type ShownLease, shownLease } from "./claim.ts";
import { printCursor } from "./paging.ts";
import { entryBytes } from "./print-json.ts";

export interface HeldLease extends ShownLease {
  readonly todo_id: string;
  /** `ended`: it ran out and nobody took it over; `released`: it was given back. */
  readonly status: "active" | "ended" | "released";
  readonly write_scopes: readonly string[];
  readonly taken_at: string;
  readonly renewed_at: string;
}

export interface LeasePayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo_id: string;
  readonly lease: HeldLease | null;
  readonly active: boolean;
  readonly idempotent: boolean;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export interface LeaseFacts {
  readonly goal_id: string;
  readonly todo_id: string;
  readonly lease: Lease | null;
  readonly released: boolean;
  readonly idempotent: boolean;
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly now: Instant;
  readonly warnings: readonly Problem[];
}

export function leasePayload({ lease, released, now, ...facts }: LeaseFacts): LeasePayload {
  const { goal_id, todo_id, idempotent, changed, dry_run, warnings } = facts;
  const held = lease === null ? null : heldLease(goal_id, { lease, now, released });
  const active = held?.status === "active";
  return {
    ok: true,
    goal_id,
    todo_id,
    lease: held,
    active,
    idempotent,
    changed,
    dry_run,
    then: active ? withLease(goal_id, held) : [loopxCommand("claim", "--goal-id", goal_id, "--todo-id", todo_id)],
    warnings,
  };
}

function withLease(goalId: string, { owner, todo_id, epoch }: HeldLease): readonly string[] {
  const about = ["--goal-id", goalId, "--agent-id", owner, "--todo-id", todo_id, "--lease-epoch", String(epoch)];
  return [loopxCommand("lease", "renew", ...about), loopxCommand("lease", "release", ...about)];
}

function heldLease(
  goalId: string,
  { lease, now, released }: { readonly lease: Lease; readonly now: Instant; readonly released: boolean },
): HeldLease {
  const { todo_id, write_scopes, taken_at, renewed_at } = lease;
  const status = released ? "released" : isLive(lease, now) ? "active" : "ended";
  return { todo_id, ...shownLease(goalId, lease), status, write_scopes, taken_at, renewed_at };
}

export interface LeaseShowPayload extends Omit<LeasePayload, "idempotent" | "changed" | "dry_run" | "warnings"> {
  readonly todo_status: string;
  /** The owner in the state file where there is no lease. */
  readonly claimed_by: string | null;
  /** Active, and nothing in the plan speaks against its owner. */
  readonly effective: boolean;
  readonly why_not_effective: string | null;
}

export interface StandingLease {
  readonly goal_id: string;
  readonly todo: TodoRecord;
  readonly lease: Lease | null;
  readonly agents: readonly AgentId[];
  readonly now: Instant;
}

export function leaseShowPayload(facts: StandingLease): LeaseShowPayload {
  const { goal_id, todo, lease, now } = facts;
  const about = { goal_id, todo_id: todo.todo_id, lease, now, released: false };
  const shown = leasePayload({ ...about, idempotent: true, changed: false, dry_run: false, warnings: [] });
  const { idempotent: _i, changed: _c, dry_run: _d, warnings: _w, ...rest } = shown;
  const why_not_effective = lease === null ? "nobody holds it" : whyNotEffective(facts, lease);
  return {
    ...rest,
    todo_status: todo.archived ? "archived" : todo.status,
    claimed_by: ownerOf(todo),
    effective: why_not_effective === null,
    why_not_effective,
  };
}

function whyNotEffective({ todo, agents, now }: StandingLease, lease: Lease): string | null {
  if (!isLive(lease, now)) return `it ran out at ${lease.expires_at}`;
  if (todo.status !== "open" || todo.archived) return `the todo is ${todo.archived ? "archived" : todo.status}`;
  if (agents.length > 0 && !agents.includes(lease.owner)) return `${lease.owner} is not an agent of the goal`;
  if (excludedFrom(todo).includes(lease.owner)) return `${lease.owner} is excluded from the todo`;
  const owner = ownerOf(todo);
  return owner === null || owner === lease.owner ? null : `the state file says that ${owner} claimed it`;
}

export interface LeaseListPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly lease_count: number;
  readonly active_count: number;
  readonly leases: readonly HeldLease[];
  readonly left_out: { readonly leases: number; readonly cursor: string | null; readonly get: readonly string[] };
}

export interface LeaseListFacts {
  readonly goal_id: string;
  readonly agent_id: AgentId | null;
  readonly leases: readonly Lease[];
  readonly seen: number;
  readonly limit: number | null;
  readonly now: Instant;
}

const PAGE_ROWS = 50;
const PAGE_BYTES = 7168;

/** The one that ends first in front. */
export function leaseListPayload({ goal_id, agent_id, leases, seen, limit, now }: LeaseListFacts): LeaseListPayload {
  const sorted = leases.toSorted((a, b) => order(a, b));
  const rows = sorted
    .slice(seen, seen + (limit ?? PAGE_ROWS))
    .map((lease) => heldLease(goal_id, { lease, now, released: false }));
  const shown = limit === null ? fitting(rows) : rows;
  const left = sorted.length - seen - shown.length;
  const cursor = left > 0 ? printCursor({ list: "leases", seen: seen + shown.length, after: "" }) : null;
  const who = agent_id === null ? [] : ["--agent-id", agent_id];
  return {
    ok: true,
    goal_id,
    agent_id,
    lease_count: sorted.length,
    active_count: sorted.filter((lease) => isLive(lease, now)).length,
    leases: shown,
    left_out: {
      leases: Math.max(0, left),
      cursor,
      get: cursor === null ? [] : [loopxCommand("lease", "list", "--goal-id", goal_id, ...who, "--cursor", cursor)],
    },
  };
}

function order(a: Lease, b: Lease): number {
  if (a.expires_at !== b.expires_at) return a.expires_at < b.expires_at ? -1 : 1;
  return a.todo_id < b.todo_id ? -1 : 1;
}

function fitting(rows: readonly HeldLease[]): readonly HeldLease[] {
  let room = PAGE_BYTES;
  const over = rows.findIndex((row) => {
    room -= entryBytes(row);
    return room < 0;
  });
  return over < 0 ? rows : rows.slice(0, Math.max(1, over));
}
