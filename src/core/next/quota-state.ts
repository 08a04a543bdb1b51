/**
 * How a goal's quota stands, for a decision.
 *
 * Does not own: the law (`core/quota/law.ts`), what is declared (`core/registry/quota.ts`).
 *
 * Q1  Settled, reserved by live leases and one more turn fit, or the unit that is short is named together with the moment
 *     from which it is not.
 */
import type { Lease, Units } from "../events.ts";
import type { Instant } from "../instant.ts";
import {
  type Amounts,
  type Caps,
  refusalOf,
  type Shortage,
  shortageOf,
  turnWants,
  type UnitUse,
  windowOf,
} from "../quota/law.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";
import type { QuotaState } from "./decision.ts";

export interface QuotaUse {
  readonly units: Units;
  /** The oldest spends of the window; as many as were asked for. */
  readonly entries: readonly { readonly at: Instant; readonly units: Units }[];
  readonly leases: readonly Lease[];
  readonly now: Instant;
}

/** (Q1) */
export function quotaState(settings: QuotaSettings, use: QuotaUse): QuotaState {
  const { caps } = windowOf(settings);
  const reserved = reservedBy(use.leases, use.now);
  const short = shortageOf(caps, { spent: use.units, reserved, wanted: turnWants(caps) });
  const unit = short?.unit ?? "slots";
  return {
    spent: use.units[unit],
    reserved: reserved[unit],
    allowed: caps[unit],
    short: short?.unit ?? null,
    next_eligible_at: short === null ? null : eligibleAt(settings, short, use),
  };
}

function eligibleAt(settings: QuotaSettings, short: Shortage, { entries, leases, now }: QuotaUse): Instant | null {
  const { window_ms } = windowOf(settings);
  const use: UnitUse = {
    spends: entries.map(({ at, units }) => ({ at, amount: units[short.unit] })),
    reservations: leases.map(({ expires_at, reserved }) => ({ expires_at, amount: reserved[short.unit] })),
  };
  return refusalOf(short, { use, now, window_ms }).next_eligible_at;
}

export function reservedBy(leases: readonly Lease[], now: Instant): Amounts {
  const live = leases.filter(({ expires_at }) => expires_at > now);
  const sum = (unit: keyof Units): number => live.reduce((total, lease) => total + lease.reserved[unit], 0);
  return { slots: sum("slots"), tokens: sum("tokens"), wall_ms: sum("wall_ms") };
}

/** What a claim sets aside for the turn to come. */
export function reservationFor(caps: Caps): Units {
  return turnWants(caps);
}
