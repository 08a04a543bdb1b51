/**
 * How much a goal has used of what it may spend and hold.
 *
 * Does not own: the law (`core/quota`), reading what was spent (commands).
 */
import type { GoalHead } from "../goal/head.ts";
import type { Instant } from "../instant.ts";
import { quotaState } from "../next/quota-state.ts";
import { UNITS, type Unit, windowOf } from "../quota/law.ts";
import { type Room, reservedBy } from "../quota/room.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";

export interface UnitShare {
  /** Settled in the window. */
  readonly used: number;
  /** Set aside by leases. */
  readonly reserved: number;
  /** Null: no cap. */
  readonly allowed: number | null;
  /** Of what is allowed, used and reserved together; rounded down. */
  readonly percent: number | null;
}

export interface ShownQuota extends Readonly<Record<Unit, UnitShare>> {
  readonly state: "eligible" | "throttled" | "paused";
  readonly compute: number;
  readonly window_hours: number;
  readonly slot_minutes: number;
  readonly spent_slots: number;
  readonly allowed_slots: number;
  readonly next_eligible_at: Instant | null;
}

export interface ShownLimit {
  readonly used: number;
  /** 0: no limit. */
  readonly limit: number;
  readonly percent: number | null;
}

export interface ShownLimits {
  readonly open_todos: ShownLimit;
  readonly running_tasks: ShownLimit;
  readonly runtime_bytes: ShownLimit;
}

export function shownQuota(settings: QuotaSettings, room: Room): ShownQuota {
  const { caps } = windowOf(settings);
  const reserved = reservedBy(room.leases, room.now);
  const state = quotaState(settings, room);
  const shares = UNITS.map((unit) => [unit, shareOf(room.units[unit], reserved[unit], caps[unit])] as const);
  const { compute, window_hours, slot_minutes, allowed_slots } = settings;
  return {
    state: allowed_slots === 0 ? "paused" : state.short === null ? "eligible" : "throttled",
    compute,
    window_hours,
    slot_minutes,
    spent_slots: room.units.slots,
    allowed_slots,
    ...(Object.fromEntries(shares) as Record<Unit, UnitShare>),
    next_eligible_at: state.next_eligible_at,
  };
}

function shareOf(used: number, reserved: number, allowed: number | null): UnitShare {
  return { used, reserved, allowed, percent: allowed === null ? null : percentOf(used + reserved, allowed) };
}

export function shownLimits({ limits }: QuotaSettings, head: GoalHead | null, now: Instant): ShownLimits {
  const leases = Object.values(head?.leases ?? {}).filter(({ expires_at }) => expires_at > now);
  return {
    open_todos: limitOf(head?.todo_counts.open ?? 0, limits.max_open_todos),
    running_tasks: limitOf(leases.length, limits.max_running_tasks),
    runtime_bytes: limitOf(head?.runtime_bytes ?? 0, limits.max_runtime_bytes),
  };
}

function limitOf(used: number, limit: number): ShownLimit {
  return { used, limit, percent: limit === 0 ? null : percentOf(used, limit) };
}

function percentOf(used: number, allowed: number): number {
  return allowed === 0 ? 100 : Math.floor((used / allowed) * 100);
}
