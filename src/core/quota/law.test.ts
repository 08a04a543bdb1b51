import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMilliseconds, type Instant, instantFromEpoch } from "../instant.ts";
import { PROFILES, type QuotaSettings } from "../registry/quota-settings.ts";
import {
  type Admission,
  type Amounts,
  admit,
  beyondReserved,
  type Caps,
  type Reservation,
  refusalOf,
  type Spend,
  shortageOf,
  sumsOf,
  turnWants,
  UNITS,
  type Unit,
  type UnitUse,
  type Window,
  windowOf,
} from "./law.ts";

const T0 = instantFromEpoch(1_772_000_000_000) as Instant;
const at = (milliseconds: number): Instant => addMilliseconds(T0, milliseconds);
const NOTHING: Amounts = { slots: 0, tokens: 0, wall_ms: 0 };
const EMPTY: UnitUse = { spends: [], reservations: [] };
const SETTINGS: QuotaSettings = {
  profile: "interactive",
  compute: 1,
  window_hours: 24,
  slot_minutes: 1,
  allowed_slots: 1440,
  tokens: null,
  wall_minutes: null,
  limits: PROFILES.interactive,
};

interface Case {
  readonly caps?: Partial<Caps>;
  readonly use?: Partial<Record<Unit, Partial<UnitUse>>>;
  readonly wanted?: Partial<Amounts>;
  readonly now?: number;
}

const WINDOW_MS = 1000;

function asked({ caps = {}, use = {}, wanted = { slots: 1 }, now = 0 }: Case): Admission {
  const window: Window = { window_ms: WINDOW_MS, caps: { slots: 10, tokens: null, wall_ms: null, ...caps } };
  const unit = (name: Unit): UnitUse => ({ ...EMPTY, ...use[name] });
  const uses = { slots: unit("slots"), tokens: unit("tokens"), wall_ms: unit("wall_ms") };
  return admit(window, { now: at(now), wanted: { ...NOTHING, ...wanted }, use: uses });
}

describe("a window", () => {
  it("has the caps of the settings, in milliseconds of work", () => {
    expect(windowOf({ ...SETTINGS, window_hours: 0.5, allowed_slots: 3, tokens: 9, wall_minutes: 1.5 })).toEqual({
      window_ms: 1_800_000,
      caps: { slots: 3, tokens: 9, wall_ms: 90_000 },
    });
    expect(windowOf(SETTINGS).caps).toEqual({ slots: 1440, tokens: null, wall_ms: null });
  });

  it("is asked for a slot and the least of what has a cap by a turn that says nothing", () => {
    expect(turnWants({ slots: 5, tokens: null, wall_ms: null })).toEqual({ slots: 1, tokens: 0, wall_ms: 0 });
    expect(turnWants({ slots: 5, tokens: 9, wall_ms: 9 }, { tokens: 7 })).toEqual({ slots: 1, tokens: 7, wall_ms: 1 });
    expect(turnWants({ slots: 5, tokens: 9, wall_ms: 9 }, { slots: 2, wall_ms: 0 })).toEqual({ slots: 2, tokens: 1, wall_ms: 0 });
  });
});

describe("admission", () => {
  const spends: readonly Spend[] = [
    { at: at(-1000), amount: 5 },
    { at: at(-999), amount: 4 },
    { at: at(-500), amount: 3 },
  ];

  it("L1: counts what is settled, reserved and wanted", () => {
    const reservations = [{ expires_at: at(5), amount: 2 }];
    expect(asked({ use: { slots: { spends, reservations } } })).toEqual({ kind: "admitted" });
    expect(asked({ use: { slots: { spends, reservations } }, wanted: { slots: 2 } })).toEqual({
      kind: "refused",
      unit: "slots",
      allowed: 10,
      spent: 7,
      reserved: 2,
      wanted: 2,
      next_eligible_at: at(1),
    });
  });

  it("L1: asks only for what a turn spent beyond its reservation", () => {
    const own = { slots: 1, tokens: 100, wall_ms: 50 };
    expect(beyondReserved(own, { slots: 1, tokens: 130, wall_ms: 20 })).toEqual({ slots: 0, tokens: 30, wall_ms: 0 });
    expect(asked({ caps: { slots: 0 }, use: { slots: { spends } }, wanted: NOTHING })).toEqual({ kind: "admitted" });
  });

  it("L2: is never, with no instant, when the cap is 0 or smaller than what is wanted", () => {
    expect(asked({ caps: { slots: 0 } })).toMatchObject({ kind: "never", unit: "slots", allowed: 0, next_eligible_at: null });
    expect(asked({ caps: { tokens: 9 }, wanted: { tokens: 10 } })).toMatchObject({ kind: "never", unit: "tokens", wanted: 10 });
  });

  it("L2: names the unit that takes longest, and never before any other", () => {
    const slots = { spends: [{ at: at(-10), amount: 10 }] };
    const tokens = { spends: [{ at: at(-20), amount: 9 }] };
    const wanted = { slots: 1, tokens: 1, wall_ms: 1 };
    const both = { caps: { tokens: 9 }, use: { slots, tokens }, wanted };
    expect(asked(both)).toMatchObject({ kind: "refused", unit: "slots", next_eligible_at: at(990) });
    expect(asked({ ...both, use: { slots: tokens, tokens: slots } })).toMatchObject({
      unit: "tokens",
      next_eligible_at: at(990),
    });
    expect(asked({ ...both, caps: { tokens: 9, wall_ms: 0 } })).toMatchObject({ kind: "never", unit: "wall_ms" });
  });

  it("L2: is a window later where sums hold more than the entries say", () => {
    const short = { unit: "slots", allowed: 10, spent: 10, reserved: 0, wanted: 1 } as const;
    expect(refusalOf(short, { use: EMPTY, now: T0, window_ms: WINDOW_MS })).toMatchObject({ next_eligible_at: at(WINDOW_MS) });
  });

  it("L3: keeps a spend that is dated in the future until a window after its instant", () => {
    const future = { spends: [{ at: at(700), amount: 10 }] };
    expect(asked({ use: { slots: future } })).toMatchObject({ kind: "refused", spent: 10, next_eligible_at: at(1700) });
  });

  it("L4: lets a reservation go at the instant at which it expires", () => {
    const reservations: readonly Reservation[] = [{ expires_at: at(30), amount: 10 }];
    expect(asked({ use: { slots: { reservations } } })).toMatchObject({ reserved: 10, spent: 0, next_eligible_at: at(30) });
    expect(asked({ use: { slots: { reservations } }, now: 30 })).toEqual({ kind: "admitted" });
  });

  it("gives sums the same answer", () => {
    const caps = { slots: 10, tokens: 5, wall_ms: null };
    const sums = {
      spent: { ...NOTHING, slots: 7, tokens: 5 },
      reserved: { ...NOTHING, slots: 2 },
      wanted: { ...NOTHING, slots: 1 },
    };
    expect(shortageOf(caps, sums)).toBe(null);
    const short = { unit: "tokens", allowed: 5, spent: 5, reserved: 0, wanted: 1 };
    expect(shortageOf(caps, { ...sums, wanted: { slots: 1, tokens: 1, wall_ms: 1 } })).toEqual(short);
  });
});

const amount = fc.integer({ min: 0, max: 6 });
const amounts: fc.Arbitrary<Amounts> = fc.record({ slots: amount, tokens: amount, wall_ms: amount });
const cap = fc.option(fc.integer({ min: 0, max: 12 }), { freq: 4 });
const capsOf = fc.record({ slots: fc.integer({ min: 0, max: 12 }), tokens: cap, wall_ms: cap });

describe("under any interleaving", () => {
  type Step =
    | { readonly kind: "reserve"; readonly wanted: Amounts; readonly ttl: number }
    | { readonly kind: "settle"; readonly turn: number; readonly actual: Amounts }
    | { readonly kind: "wait"; readonly milliseconds: number };

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("reserve" as const), wanted: amounts, ttl: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ kind: fc.constant("settle" as const), turn: fc.nat(4), actual: amounts }),
    fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.integer({ min: 0, max: 600 }) }),
  );

  interface Turn {
    readonly expires_at: Instant;
    readonly amounts: Amounts;
  }

  interface World {
    now: number;
    turns: Turn[];
    spends: { readonly at: Instant; readonly amounts: Amounts }[];
  }

  const useIn = ({ turns, spends }: World): Record<Unit, UnitUse> => {
    const unit = (name: Unit): UnitUse => ({
      spends: spends.map((spend) => ({ at: spend.at, amount: spend.amounts[name] })),
      reservations: turns.map((turn) => ({ expires_at: turn.expires_at, amount: turn.amounts[name] })),
    });
    return { slots: unit("slots"), tokens: unit("tokens"), wall_ms: unit("wall_ms") };
  };

  const may = (world: World, caps: Caps, wanted: Amounts): boolean =>
    admit({ caps, window_ms: WINDOW_MS }, { now: at(world.now), wanted, use: useIn(world) }).kind === "admitted";

  function settle(world: World, caps: Caps, { turn: place, actual }: Extract<Step, { kind: "settle" }>): void {
    const turn = world.turns[place];
    const own = turn !== undefined && turn.expires_at > at(world.now) ? turn.amounts : NOTHING;
    if (!may(world, caps, beyondReserved(own, actual))) return;
    world.turns = world.turns.filter((other) => other !== turn);
    world.spends.push({ at: at(world.now), amounts: actual });
  }

  function take(world: World, caps: Caps, todo: Step): void {
    if (todo.kind === "settle") settle(world, caps, todo);
    else if (todo.kind === "wait") world.now += todo.milliseconds;
    else if (may(world, caps, todo.wanted)) world.turns.push({ expires_at: at(world.now + todo.ttl), amounts: todo.wanted });
  }

  it("L1: settled and reserved stay within the caps (property)", () => {
    fc.assert(
      fc.property(capsOf, fc.array(step, { maxLength: 40 }), (caps, steps) => {
        const world: World = { now: 0, turns: [], spends: [] };
        for (const todo of steps) {
          take(world, caps, todo);
          const use = useIn(world);
          for (const unit of UNITS) {
            const { spent, reserved } = sumsOf(use[unit], { now: at(world.now), window_ms: WINDOW_MS });
            expect(spent + reserved).toBeLessThanOrEqual(caps[unit] ?? Number.POSITIVE_INFINITY);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  const use: fc.Arbitrary<UnitUse> = fc.record({
    spends: fc
      .array(fc.record({ at: fc.integer({ min: -1500, max: 1500 }), amount }), { maxLength: 8 })
      .map((entries) => entries.sort((a, b) => a.at - b.at).map((entry) => ({ at: at(entry.at), amount: entry.amount }))),
    reservations: fc
      .array(fc.record({ expires_at: fc.integer({ min: -100, max: 2000 }), amount }), { maxLength: 4 })
      .map((entries) => entries.map((entry) => ({ expires_at: at(entry.expires_at), amount: entry.amount }))),
  });

  it("L2: a refusal ends at its instant and not a millisecond before (property)", () => {
    let refusals = 0;
    fc.assert(
      fc.property(capsOf, amounts, fc.record({ slots: use, tokens: use, wall_ms: use }), (caps, wanted, uses) => {
        const ask = (now: Instant): Admission => admit({ caps, window_ms: WINDOW_MS }, { now, wanted, use: uses });
        const answer = ask(T0);
        const fits = UNITS.every((unit) => wanted[unit] <= (caps[unit] ?? Number.POSITIVE_INFINITY));
        expect(answer.kind === "never").toBe(!fits);
        if (answer.kind !== "refused") return;
        refusals += 1;
        expect(answer.next_eligible_at > T0).toBe(true);
        expect(ask(addMilliseconds(answer.next_eligible_at, -1)).kind).toBe("refused");
        expect(ask(answer.next_eligible_at)).toEqual({ kind: "admitted" });
      }),
      { numRuns: 1000 },
    );
    expect(refusals).toBeGreaterThan(50);
  });
});
