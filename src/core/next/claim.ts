/**
 * Which todo a claim is about, and the commands that lease it: judged in the transaction that stores them.
 *
 * Does not own: the decision (`next.ts`), what a lease is (`core/goal/lease.ts`), the law of the quota (`core/quota`).
 *
 * C1  Nothing to claim is an answer, not a failure: no todo, no commands.
 * C2  A todo that is asked for by name is leased or refused with the first thing that stands in the way.
 * C3  With the lease, one turn is set aside of the quota; what does not fit is not given out.
 * C5  What an agent holds already it gets again, with the number it has.
 * C6  Who gets nothing meets the leases of others as well: after the clock was set back none of them keeps everybody waiting for
 *     longer than its own length.
 */
import type { TodoRecord } from "../events.ts";
import type { GoalCommand } from "../goal/command.ts";
import { leaseOf } from "../goal/fence.ts";
import type { LeaseRequest } from "../goal/lease.ts";
import { writeScopesOf } from "../goal/todo-traits.ts";
import type { Instant } from "../instant.ts";
import { windowOf } from "../quota/law.ts";
import { runningTaskBar } from "../quota/limits.ts";
import { type Settings, settingsOf } from "../quota/settings-of.ts";
import { type Refusal, refuse } from "../result.ts";
import type { Decision, DecisionRequest, DecisionState } from "./decision.ts";
import { next } from "./next.ts";
import { reservationFor } from "./quota-state.ts";
import { type WhyNot, whyNot } from "./why-not.ts";

export interface ClaimAsked {
  readonly request: DecisionRequest;
  /** Null: the best one. */
  readonly named: TodoRecord | null;
  /** Of the lease, all but the todo and what follows from it. */
  readonly lease: Pick<LeaseRequest, "owner" | "instance" | "turn_id" | "key" | "ttl_ms">;
  /** Empty: those of the todo. */
  readonly write_scopes: readonly string[];
  readonly quota: Parameters<typeof settingsOf>[0];
}

export interface JudgedClaim {
  readonly kind: "judged";
  readonly decision: Decision;
  /** Null: there is nothing to claim (C1). */
  readonly todo: TodoRecord | null;
  readonly commands: readonly GoalCommand[];
}

export function judgeClaim(state: DecisionState, asked: ClaimAsked, now: Instant): JudgedClaim | Refusal {
  const decision = next(state, asked.request, now);
  const todo = asked.named ?? givenBy(decision);
  if (todo === null) return { kind: "judged", decision, todo, commands: meeting(state) };
  const flaw = asked.named === null ? null : whyNot(state, { todo, request: asked.request, now });
  if (flaw !== null && !COUNTS_NOT.has(flaw.code)) return refusalFor(state, todo, flaw); // (C2)
  const commands = take(state, { asked, todo, now });
  return "kind" in commands ? commands : { kind: "judged", decision, todo, commands };
}

/** A person or an agent that names a todo has chosen. */
const COUNTS_NOT: ReadonlySet<string> = new Set(["not_first", "stalled"]);

function givenBy({ act, todo }: Decision): TodoRecord | null {
  return act === "run" || act === "poll" ? todo : null;
}

/** (C6) */
function meeting({ head, goal }: DecisionState): readonly GoalCommand[] {
  return head === null || goal.activation === "archived" ? [] : [{ kind: "clamp-leases" }];
}

interface Taking {
  readonly asked: ClaimAsked;
  readonly todo: TodoRecord;
  readonly now: Instant;
}

function take(state: DecisionState, { asked, todo, now }: Taking): readonly GoalCommand[] | Refusal {
  const { head, goal } = state;
  const { todo_id } = todo;
  const held = head === null ? null : leaseOf(head, todo_id);
  const live = Object.values(head?.leases ?? {}).filter((lease) => lease.expires_at > now);
  if (held !== null && live.includes(held) && held.owner === asked.lease.owner) return [{ kind: "clamp-leases" }]; // (C5)
  const quota: Settings = settingsOf(asked.quota);
  if (quota.kind === "refusal") return quota;
  const bar = runningTaskBar({ goal_id: goal.goal_id, limits: quota.settings.limits }, live.length + 1);
  if (bar !== null) return bar;
  const full = fullFlaw(state);
  if (full !== null) return refusalFor(state, todo, full); // (C3)
  const write_scopes = asked.write_scopes.length > 0 ? asked.write_scopes : writeScopesOf(todo);
  const reserved = reservationFor(windowOf(quota.settings).caps); // (C3)
  return [
    { kind: "clamp-leases" },
    ...reopening(todo, asked),
    { kind: "take-lease", lease: { ...asked.lease, todo_id, write_scopes, reserved } },
  ];
}

/** Who goes on with one todo is not throttled, and has no part set aside for a second one. */
function fullFlaw({ quota }: DecisionState): WhyNot | null {
  if (quota.kind === "invalid" || quota.state.short === null) return null;
  const { short, next_eligible_at } = quota.state;
  const change = next_eligible_at === null ? "loopx quota set" : `it is ${next_eligible_at}`;
  return { code: "throttled", message: `no ${short} are left for another turn`, change, by: null };
}

/** What a deferred todo waited for has come. */
function reopening({ todo_id, status }: TodoRecord, { lease }: ClaimAsked): readonly GoalCommand[] {
  if (status !== "deferred") return [];
  const fence = { agent_id: lease.owner, turn_id: null, epoch: null, key: null, version: null };
  return [{ kind: "change-todo", todo_id, fields: { status: "open" }, fence }];
}

/** The reference's codes, where it has one. */
const CODES: Readonly<Record<string, string>> = {
  leased: "todo_lease_conflict",
  claimed: "todo_claimed",
  write_scope: "write_scope_conflict",
  not_open: "todo_not_open",
  for_person: "todo_for_person",
  monitor_only: "agent_monitor_only",
  waits_for: "todo_waits",
  not_yet: "todo_waits",
  condition: "todo_waits",
  capacity: "todo_waits",
  gate: "gate_open",
  capability: "capability_missing",
  owner_capability: "capability_missing",
  throttled: "over_quota",
  paused: "goal_paused",
  stopped: "goal_stopped",
  archived: "goal_archived",
};

function refusalFor({ head, quota }: DecisionState, todo: TodoRecord, flaw: WhyNot): Refusal {
  const lease = head === null ? null : leaseOf(head, todo.todo_id);
  const holder = flaw.code === "leased" || flaw.code === "claimed" || flaw.code === "write_scope" ? { holder: flaw.by } : {};
  const next = quota.kind === "set" && flaw.code === "throttled" ? { next_eligible_at: quota.state.next_eligible_at } : {};
  return refuse(CODES[flaw.code] ?? flaw.code, `${todo.todo_id} cannot be claimed: ${flaw.message}.`, {
    details: {
      todo_id: todo.todo_id,
      ...holder,
      ...next,
      ...(flaw.code === "leased" && lease !== null && { current_epoch: lease.epoch, expires_at: lease.expires_at }),
      by: flaw.by,
    },
    fix: flaw.change,
  });
}
