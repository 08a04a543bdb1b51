/**
 * Whether an amount may be spent: three units, a window that rolls, and what is reserved in it.
 *
 * Does not own: what is declared (`core/registry/quota.ts`), who spends and when (`core/goal/`). Amounts are whole numbers from 0;
 * a spend that was voided is left out of the window by the caller.
 *
 * L1  Settled in the window + reserved + wanted is at most the cap, in every unit, or the answer is no. A turn that settles more
 *     than it reserved asks for the rest like any other.
 * L2  A refusal says from when on the same amount fits if nothing else is spent: at that instant it is admitted, a millisecond
 *     before it is not. Only an amount that no empty window holds gets `never`.
 * L3  A spend leaves the window `window_ms` after its instant; one that is dated in the future is in it until then.
 * L4  A reservation counts until it expires; at that instant it is gone.
 */
import { addMilliseconds, type Instant } from "../instant.ts";
import type { QuotaSettings } from "../registry/quota-settings.ts";

export const UNITS = ["slots", "tokens", "wall_ms"] as const;

export type Unit = (typeof UNITS)[number];

export type Amounts = Readonly<Record<Unit, number>>;

/** In one window; null: no cap. */
export type Caps = Readonly<Record<Unit, number | null>>;

export interface Window {
  readonly caps: Caps;
  readonly window_ms: number;
}

export interface Spend {
  readonly at: Instant;
  readonly amount: number;
}

export interface Reservation {
  readonly expires_at: Instant;
  readonly amount: number;
}

/** What a window of one unit holds. */
export interface UnitUse {
  /** Oldest first; entries that have left the window may still be there. */
  readonly spends: readonly Spend[];
  readonly reservations: readonly Reservation[];
}

/** Why an amount does not fit. */
export interface Shortage {
  readonly unit: Unit;
  readonly allowed: number;
  readonly spent: number;
  readonly reserved: number;
  readonly wanted: number;
}

export type Admission =
  | { readonly kind: "admitted" }
  | (Shortage & { readonly kind: "refused"; readonly next_eligible_at: Instant })
  /** The cap itself is 0 or less than what is wanted: no waiting helps, `next_eligible_at` is null. */
  | (Shortage & { readonly kind: "never"; readonly next_eligible_at: null });

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function windowOf({ window_hours, allowed_slots, tokens, wall_minutes }: QuotaSettings): Window {
  const wall_ms = wall_minutes === null ? null : Math.floor(wall_minutes * MINUTE_MS);
  return { window_ms: Math.round(window_hours * HOUR_MS), caps: { slots: allowed_slots, tokens, wall_ms } };
}

/** What a turn takes when it says nothing: one slot, and the least of every other unit that has a cap. */
export function turnWants({ tokens, wall_ms }: Caps, said: Partial<Amounts> = {}): Amounts {
  const least = (cap: number | null): number => (cap === null ? 0 : 1);
  return { slots: said.slots ?? 1, tokens: said.tokens ?? least(tokens), wall_ms: said.wall_ms ?? least(wall_ms) };
}

/** (L1) What a turn still has to ask for when it settles `actual` and had reserved `own`. */
export function beyondReserved(own: Amounts, actual: Amounts): Amounts {
  const rest = (unit: Unit): number => Math.max(0, actual[unit] - own[unit]);
  return { slots: rest("slots"), tokens: rest("tokens"), wall_ms: rest("wall_ms") };
}

/** For callers that keep sums. */
export interface Sums {
  readonly spent: Amounts;
  readonly reserved: Amounts;
  readonly wanted: Amounts;
}

/** The first unit that is too short; null when all of it fits. */
export function shortageOf(caps: Caps, { spent, reserved, wanted }: Sums): Shortage | null {
  for (const unit of UNITS) {
    const short = shortIn(caps, { unit, spent: spent[unit], reserved: reserved[unit], wanted: wanted[unit] });
    if (short !== null) return short;
  }
  return null;
}

/** (L1) What is not wanted is never short. */
function shortIn(caps: Caps, { unit, spent, reserved, wanted }: Omit<Shortage, "allowed">): Shortage | null {
  const allowed = caps[unit];
  if (allowed === null || wanted <= 0 || spent + reserved + wanted <= allowed) return null;
  return { unit, allowed, spent, reserved, wanted };
}

interface Asked {
  readonly now: Instant;
  readonly wanted: Amounts;
  readonly use: Readonly<Record<Unit, UnitUse>>;
}

/** Of several units that are short the one that takes longest is named. */
export function admit({ caps, window_ms }: Window, { now, wanted, use }: Asked): Admission {
  let answer: Admission = { kind: "admitted" };
  for (const unit of UNITS) {
    const short = shortIn(caps, { unit, ...sumsOf(use[unit], { now, window_ms }), wanted: wanted[unit] });
    if (short === null) continue;
    const no = refusalOf(short, { use: use[unit], now, window_ms });
    if (no.kind === "never") return no;
    if (answer.kind !== "refused" || no.next_eligible_at > answer.next_eligible_at) answer = no;
  }
  return answer;
}

interface UseAt {
  readonly use: UnitUse;
  readonly now: Instant;
  readonly window_ms: number;
}

/** L2. */
export function refusalOf(short: Shortage, at: UseAt): Exclude<Admission, { kind: "admitted" }> {
  if (short.wanted > short.allowed) return { kind: "never", ...short, next_eligible_at: null };
  return { kind: "refused", ...short, next_eligible_at: eligibleAt(short, at) };
}

/** Walks what leaves the window until enough has left. */
function eligibleAt({ allowed, spent, reserved, wanted }: Shortage, { use, now, window_ms }: UseAt): Instant {
  const leaving = [
    ...use.spends.map(({ at, amount }) => ({ at: addMilliseconds(at, window_ms), amount })),
    ...use.reservations.map(({ expires_at, amount }) => ({ at: expires_at, amount })),
  ].filter(({ at }) => at > now);
  let over = spent + reserved + wanted - allowed;
  for (const { at, amount } of leaving.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    over -= amount;
    if (over <= 0) return at;
  }
  return addMilliseconds(now, window_ms); // Sums that the entries do not explain: a window later all of it has left.
}

/** What of a unit counts now (L3, L4). */
export function sumsOf(
  { spends, reservations }: UnitUse,
  { now, window_ms }: Omit<UseAt, "use">,
): { spent: number; reserved: number } {
  let spent = 0;
  let reserved = 0;
  for (const { at, amount } of spends) if (addMilliseconds(at, window_ms) > now) spent += amount;
  for (const { expires_at, amount } of reservations) if (expires_at > now) reserved += amount;
  return { spent, reserved };
}
