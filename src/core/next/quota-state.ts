/**
 * How a goal's quota stands, for a decision.
 *
 * Does not own: the law (`core/quota/law.ts`), what is declared (`core/registry/quota.ts`).
 *
 * Q1  Settled, reserved by live leases and one more turn fit, or the unit that is short is named together with the moment
 *     from which it is not.
 */
import type { Units } from "../events.ts";
import { type Caps, turnWants, windowOf } from "../quota/law.ts";
import { admission, type Room, reservedBy } from "../quota/room.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";
import type { QuotaState } from "./decision.ts";

/** (Q1) */
export function quotaState(settings: QuotaSettings, room: Room): QuotaState {
  const window = windowOf(settings);
  const { caps } = window;
  const no = admission(window, room, turnWants(caps));
  const unit = no.kind === "admitted" ? "slots" : no.unit;
  return {
    spent: room.units[unit],
    reserved: reservedBy(room.leases, room.now)[unit],
    allowed: caps[unit],
    short: no.kind === "admitted" ? null : no.unit,
    next_eligible_at: no.kind === "admitted" ? null : no.next_eligible_at,
  };
}

/** What a claim sets aside for the turn to come. */
export function reservationFor(caps: Caps): Units {
  return turnWants(caps);
}
