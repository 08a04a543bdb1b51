/** What was spent in a window is the sum of what was spent in it, whatever the clock did and whatever was taken back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GoalFact, Units } from "../../src/core/events.ts";
import { append, draftOf } from "../../src/core/goal/draft.ts";
import { foldJournal } from "../../src/core/goal/fold-journal.ts";
import type { SpendWindow, Store } from "../../src/ports/store.ts";
import { someUnits } from "../arbitrary/goal-todos.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, at, goalId, OPENED } from "./store-data.ts";

const G = goalId("g");

type Entry = { readonly minute: number; readonly units: Units } | { readonly voids: number };

const someEntries = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ minute: fc.nat(9), units: someUnits }) },
    { weight: 1, arbitrary: fc.record({ voids: fc.nat(30) }) },
  ),
  { minLength: 5, maxLength: 20, size: "max" },
);

export function spendContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: spending`, () => {
    it("W1 is summed up for any window, also after a rebuild", () =>
      fc.assert(
        fc.asyncProperty(someEntries, (entries) =>
          onFresh(adapter, async (store) => {
            await write(store, 0, OPENED);
            for (const entry of entries) await write(store, "minute" in entry ? entry.minute : 9, factOf(entry));
            const expected = windows((minute) => windowOf(entries, minute));
            expect(await loaded(store)).toEqual(expected);
            await store.rebuild(G, foldJournal);
            expect(await loaded(store)).toEqual(expected);
          }),
        ),
        { numRuns: name === "memory" ? 60 : 8 },
      ));

    it("W1 begins at nothing with a new life of the goal", () =>
      onFresh(adapter, async (store) => {
        const units = { slots: 3, tokens: 0, wall_ms: 0 };
        await write(store, 0, OPENED);
        await write(store, 1, factOf({ minute: 1, units }));
        for (const fact of [...ARCHIVED, OPENED]) await write(store, 2, fact);
        expect((await windowAfter(store, -1)).units).toEqual({ slots: 0, tokens: 0, wall_ms: 0 });
        await write(store, 3, factOf({ minute: 3, units }));
        expect((await windowAfter(store, -1)).units).toEqual(units);
      }));

    it("is not loaded where it is not asked for", () =>
      onFresh(adapter, async (store) => {
        await write(store, 0, OPENED);
        expect((await store.load({ goal_id: G, todos: "none", base: "none" })).spend).toBeNull();
      }));
  });
}

/** The first entry has number 2. */
function factOf(entry: Entry): GoalFact {
  if ("voids" in entry)
    return { type: "turn.voided", data: { spent_seq: entry.voids + 2, units: { slots: 0, tokens: 0, wall_ms: 0 }, reason: "" } };
  return { type: "turn.spent", data: { todo_id: null, units: entry.units, source: "agent" } };
}

async function write(store: Store, minute: number, fact: GoalFact): Promise<void> {
  await store.transact([{ goal_id: G, todos: "none", base: "none" }], ([goal]) => {
    const draft = draftOf(G, { head: goal?.head ?? null, todos: new Map() });
    append(draft, [fact], { at: at(minute) });
    if (draft.head === null) throw new Error("not opened");
    return {
      answer: null,
      changes: [{ goal_id: G, events: draft.events, head: draft.head, todos_put: [], todos_removed: [] }],
    };
  });
}

async function windowAfter(store: Store, minute: number): Promise<SpendWindow> {
  const spend = { since: at(minute), entries: 3 };
  const found = (await store.load({ goal_id: G, todos: "none", base: "none", spend })).spend;
  return found ?? expect.fail("no window was loaded");
}

function windows<T>(of: (minute: number) => T): readonly T[] {
  return [-1, 0, 3, 4, 5, 8, 9].map(of);
}

function loaded(store: Store): Promise<readonly SpendWindow[]> {
  return Promise.all(windows((minute) => windowAfter(store, minute)));
}

function windowOf(entries: readonly Entry[], minute: number): SpendWindow {
  const spent = new Map<number, { readonly minute: number; readonly units: Units }>();
  for (const [index, entry] of entries.entries()) {
    if ("voids" in entry) spent.delete(entry.voids + 2);
    else spent.set(index + 2, entry);
  }
  const inside = [...spent].filter(([, entry]) => entry.minute > minute).sort(([a, x], [b, y]) => x.minute - y.minute || a - b);
  const sum = (unit: keyof Units): number => inside.reduce((total, [, { units }]) => total + units[unit], 0);
  return {
    since: at(minute),
    units: { slots: sum("slots"), tokens: sum("tokens"), wall_ms: sum("wall_ms") },
    entries: inside.slice(0, 3).map(([seq, entry]) => ({ seq, at: at(entry.minute), units: entry.units })),
  };
}
