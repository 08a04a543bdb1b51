/** R1, R2: runs of other programs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/ports/store.ts";
import type { ForeignRow } from "../../src/ports/store-foreign.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { at, checkpoint, foreignRow, goalId } from "./store-data.ts";

const G = goalId("g");
const ALL = { which: "all", skip: 0, limit: 99 } as const;

/** Rows `first` to before `end` of a file whose every fourth line repeats an earlier run. */
function rowsOf(first: number, end: number): readonly ForeignRow[] {
  return Array.from({ length: end - first }, (_, index) => first + index).map((number) => {
    if (number % 4 !== 3) return foreignRow(number, (number * 7) % 10);
    const earlier = foreignRow(number - 2, ((number - 2) * 7) % 10);
    return { ...earlier, position: number * 100, line: number + 1, row: { ...earlier.row, human_reward: { at: number } } };
  });
}

async function readIn(store: Store, ends: readonly number[]): Promise<void> {
  let from: number | null = null;
  let first = 0;
  for (const end of ends) {
    expect(await store.ingestForeign(G, { from, rows: rowsOf(first, end), checkpoint: checkpoint(end) })).toBe(true);
    from = end * 100;
    first = end;
  }
}

export function foreignContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: foreign runs`, () => {
    it("remembers how far the file was read", () =>
      onFresh(adapter, async (store) => {
        expect(await store.foreignCheckpoint(G)).toBeNull();
        const standing = checkpoint(2, {
          damage: [{ code: "invalid_json", line: 2, message: "bad" }],
          damage_count: 70,
          first_own_line: 1,
          foreign_after_own: { line: 2, generated_at: "then", at: null },
        });
        await store.ingestForeign(G, { from: null, rows: [], checkpoint: standing });
        expect(await store.foreignCheckpoint(G)).toEqual(standing);
        expect(await store.foreignCount(G)).toBe(0);
      }));

    it("R1 merges rows of one identity at the place of the first", () =>
      onFresh(adapter, async (store) => {
        const first = foreignRow(0, 5, { kept: 1, classification: "old" });
        const later = { ...first, position: 300, line: 4, row: { ...first.row, classification: "new", added: true } };
        const rows = [first, foreignRow(1, 4), { ...later, row: JSON.parse(JSON.stringify(later.row).replace('"kept":1,', "")) }];
        await store.ingestForeign(G, { from: null, rows, checkpoint: checkpoint(3) });
        expect(await store.foreignCount(G)).toBe(2);
        const [merged] = await store.foreignRuns(G, ALL);
        expect(merged).toEqual({ ...first, row: { ...first.row, classification: "new", added: true } });
      }));

    it("R1 keeps a key named __proto__ a key", () =>
      onFresh(adapter, async (store) => {
        const hostile = JSON.parse('{"__proto__":{"polluted":true},"generated_at":"x"}');
        const row = { ...foreignRow(0, null), row: hostile };
        await store.ingestForeign(G, { from: null, rows: [row, { ...row, position: 100 }], checkpoint: checkpoint(2) });
        const [read] = await store.foreignRuns(G, ALL);
        expect(JSON.stringify(read?.row)).toBe(JSON.stringify(hostile));
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      }));

    it("R2 gives the same rows whatever the steps", async () => {
      const read = async (ends: readonly number[]): Promise<unknown> => {
        let seen: unknown = null;
        await onFresh(adapter, async (store) => {
          await readIn(store, ends);
          seen = [await store.foreignRuns(G, ALL), await store.foreignCount(G), await store.foreignCheckpoint(G)];
        });
        return seen;
      };
      const whole = await read([24]);
      const steps = fc.uniqueArray(fc.integer({ min: 1, max: 23 }), { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(steps, async (cuts) => {
          expect(await read([...cuts.toSorted((a, b) => a - b), 24])).toEqual(whole);
        }),
        { numRuns: 12 },
      );
    });

    it("R2 refuses a step that does not begin where the last one ended", () =>
      onFresh(adapter, async (store) => {
        expect(await store.ingestForeign(G, { from: 0, rows: rowsOf(0, 1), checkpoint: checkpoint(1) })).toBe(false);
        await readIn(store, [2]);
        expect(await store.ingestForeign(G, { from: 100, rows: rowsOf(1, 3), checkpoint: checkpoint(3) })).toBe(false);
        expect(await store.foreignCheckpoint(G)).toEqual(checkpoint(2));
        expect(await store.foreignCount(G)).toBe(2);
      }));

    it("R2 begins again from nothing when told so, and forgets one goal alone", () =>
      onFresh(adapter, async (store) => {
        await readIn(store, [3]);
        await store.ingestForeign(goalId("h"), { from: null, rows: rowsOf(0, 2), checkpoint: checkpoint(2) });
        await store.ingestForeign(G, { from: null, rows: [foreignRow(9, 9)], checkpoint: checkpoint(1) });
        expect((await store.foreignRuns(G, ALL)).map((row) => row.line)).toEqual([10]);
        expect(await store.forgetForeign(G)).toBe(true);
        expect(await store.foreignCheckpoint(G)).toBeNull();
        expect(await store.foreignRuns(G, ALL)).toEqual([]);
        expect(await store.foreignCount(goalId("h"))).toBe(2);
      }));

    it("S4 orders by instant, then written time, then position, downwards", () =>
      onFresh(adapter, async (store) => {
        const rows = [
          foreignRow(0, null, { generated_at: "alpha" }),
          foreignRow(1, 3),
          foreignRow(2, 8),
          foreignRow(3, null, { generated_at: 17 }),
          foreignRow(4, 8),
          foreignRow(5, null, { generated_at: "beta\0" }),
          foreignRow(6, null, { generated_at: "alpha" }),
        ];
        await store.ingestForeign(G, { from: null, rows, checkpoint: checkpoint(7) });
        const lines = async (skip: number, limit: number): Promise<readonly number[]> =>
          (await store.foreignRuns(G, { which: "all", skip, limit })).map((row) => row.line);
        expect(await lines(0, 99)).toEqual([5, 3, 2, 6, 7, 1, 4]);
        expect(await lines(2, 3)).toEqual([2, 6, 7]);
        expect(await lines(7, 3)).toEqual([]);
      }));

    it("passes over runs that do not speak for the goal when asked to", () =>
      onFresh(adapter, async (store) => {
        const rows = [
          foreignRow(0, 1),
          foreignRow(1, 2, { classification: "quota_slot_spent" }),
          foreignRow(2, 3, { progress_scope: "agent_lane" }),
          foreignRow(3, 4),
        ];
        const quiet = { ...foreignRow(3, 4, { classification: "quota_monitor_poll" }), position: 900, line: 10 };
        await store.ingestForeign(G, { from: null, rows, checkpoint: checkpoint(4) });
        const speaking = async (): Promise<readonly number[]> =>
          (await store.foreignRuns(G, { ...ALL, which: "speaking" })).map((row) => row.line);
        expect(await speaking()).toEqual([4, 1]);
        await store.ingestForeign(G, { from: 400, rows: [quiet], checkpoint: checkpoint(5) });
        expect(await speaking()).toEqual([1]);
        expect((await store.foreignRuns(G, ALL))[0]).toMatchObject({ line: 4, at: at(4) });
      }));
  });
}
