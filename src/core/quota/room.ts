/**
 * Whether an amount may be spent now, from what a store keeps: sums of the window, and its oldest spends.
 *
 * Does not own: the law (`law.ts`), storing the spend in the transaction that asked here.
 *
 * R1  Of several units that are short the one that takes longest is named, so that at `next_eligible_at` all of it fits.
 */
import type { Lease } from "../events.ts";
import type { Instant } from "../instant.ts";
import { type Admission, type Amounts, refusalOf, shortageOf, UNITS, type Unit, type UnitUse, type Window } from "./law.ts";

export interface WindowUse {
  /** Everything that was spent in the window. */
  readonly units: Amounts;
  /** The oldest spends of the window; as many as were asked for. */
  readonly entries: readonly { readonly at: Instant; readonly units: Amounts }[];
}

export const NOTHING_USED: WindowUse = { units: { slots: 0, tokens: 0, wall_ms: 0 }, entries: [] };

export interface Room extends WindowUse {
  readonly leases: readonly Lease[];
  readonly now: Instant;
}

/** (R1) */
export function admission(window: Window, room: Room, wanted: Amounts): Admission {
  const reserved = reservedBy(room.leases, room.now);
  let answer: Admission = { kind: "admitted" };
  for (const unit of UNITS) {
    const short = shortageOf(window.caps, { spent: room.units, reserved, wanted: only(unit, wanted) });
    if (short === null) continue;
    const no = refusalOf(short, { use: useOf(unit, room), now: room.now, window_ms: window.window_ms });
    if (no.kind === "never") return no;
    if (answer.kind !== "refused" || no.next_eligible_at > answer.next_eligible_at) answer = no;
  }
  return answer;
}

function only(unit: Unit, wanted: Amounts): Amounts {
  return { slots: 0, tokens: 0, wall_ms: 0, [unit]: wanted[unit] };
}

export function useOf(unit: Unit, { entries, leases }: Room): UnitUse {
  return {
    spends: entries.map(({ at, units }) => ({ at, amount: units[unit] })),
    reservations: leases.map(({ expires_at, reserved }) => ({ expires_at, amount: reserved[unit] })),
  };
}

/** What live leases set aside. */
export function reservedBy(leases: readonly Lease[], now: Instant): Amounts {
  const live = leases.filter(({ expires_at }) => expires_at > now);
  const sum = (unit: Unit): number => live.reduce((total, lease) => total + lease.reserved[unit], 0);
  return { slots: sum("slots"), tokens: sum("tokens"), wall_ms: sum("wall_ms") };
}
