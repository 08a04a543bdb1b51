/** V1, V2: what is shown of each goal. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AttentionRank } from "../../src/core/show/rank.ts";
import { compareRanks, SEVERITY_ORDER } from "../../src/core/show/rank.ts";
import type { Store } from "../../src/ports/store.ts";
import { MAX_VIEW_BYTES, type ViewEntry } from "../../src/ports/store-views.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { at, goalId, REGISTRY, viewEntry } from "./store-data.ts";

const NOTHING = {
  goals: 0,
  attention: 0,
  waiting_for_person: 0,
  runs: 0,
  open_todos: 0,
  waiting_todos: 0,
  stopped: 0,
  oldest_check: null,
};

const ENTRY = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e", "é", "🙂"),
  waits: fc.boolean(),
  attends: fc.boolean(),
  severity: fc.constantFrom(...SEVERITY_ORDER),
  minute: fc.integer({ min: 0, max: 3 }),
  runs: fc.integer({ min: 0, max: 5 }),
  stopped: fc.constantFrom(0 as const, 1 as const),
});

function entryOf({
  id,
  waits,
  attends,
  severity,
  minute,
  runs,
  stopped,
}: Parameters<Parameters<typeof ENTRY.map>[0]>[0]): ViewEntry {
  const rank: AttentionRank = { waits_for_person: waits, severity, since: at(minute), goal_id: id };
  return viewEntry(id, {
    rank: attends ? rank : null,
    run_count: runs,
    open_todos: runs + 1,
    waiting_todos: minute,
    stopped,
    checked_at: at(minute + 10),
  });
}

async function queue(store: Store, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<Store["attention"]>> = await store.attention(REGISTRY, { after, limit });
    const last = page.at(-1);
    if (last === undefined) return ids;
    ids.push(...page.map((row) => row.goal_id));
    after = last.cursor;
  }
}

export function viewsContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: views`, () => {
    it("V1 answers each view with the key that it was saved with", () =>
      onFresh(adapter, async (store) => {
        const entry = viewEntry("a", { view: '{"z":1,"a":"ü"}' });
        expect(await store.saveViews(REGISTRY, [entry, viewEntry("b")])).toBe(true);
        const views = await store.views(REGISTRY, ["a", "c"].map(goalId));
        expect([...views]).toEqual([["a", { goal_id: "a", key: "key-a", checked_at: at(0), view: '{"z":1,"a":"ü"}' }]]);
        expect((await store.views("/other", [goalId("a")])).size).toBe(0);
      }));

    it("V2 keeps one entry a goal", () =>
      onFresh(adapter, async (store) => {
        await store.saveViews(REGISTRY, [viewEntry("a", { run_count: 3 })]);
        await store.saveViews(REGISTRY, [viewEntry("a", { run_count: 5, key: "new" })]);
        expect((await store.viewPage(REGISTRY, { after: null, limit: 9 })).map((view) => view.key)).toEqual(["new"]);
        expect(await store.viewCounts(REGISTRY)).toMatchObject({ goals: 1, runs: 5 });
      }));

    it("V2 refuses a view that is too large, measured in bytes", () =>
      onFresh(adapter, async (store) => {
        const fits = viewEntry("a", { view: "x".repeat(MAX_VIEW_BYTES) });
        const large = viewEntry("b", { view: "ü".repeat(MAX_VIEW_BYTES / 2 + 1) });
        expect(await store.saveViews(REGISTRY, [fits])).toBe(true);
        await expect(store.saveViews(REGISTRY, [viewEntry("c"), large])).rejects.toThrow(Error);
        expect((await store.viewCounts(REGISTRY)).goals).toBe(1);
      }));

    it("S4 pages by id in code point order", () =>
      onFresh(adapter, async (store) => {
        await store.saveViews(
          REGISTRY,
          ["🙂", "b", "ｚ", "B"].map((id) => viewEntry(id)),
        );
        const ids = async (after: string | null): Promise<readonly string[]> =>
          (await store.viewPage(REGISTRY, { after, limit: 2 })).map((view) => view.goal_id);
        expect(await ids(null)).toEqual(["B", "b"]);
        expect(await ids("b")).toEqual(["ｚ", "🙂"]);
      }));

    it("keeps the queue in the one order of attention, and the counts right, under any changes", async () => {
      const batches = fc.array(fc.array(ENTRY, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 1, max: 4 }), (all, limit) =>
          onFresh(adapter, async (store) => {
            const now = new Map<string, ViewEntry>();
            for (const batch of all) {
              const entries = batch.map(entryOf);
              for (const entry of entries) now.set(entry.goal_id, entry);
              await store.saveViews(REGISTRY, entries);
            }
            const ranks = [...now.values()].flatMap((entry) => entry.rank ?? []).toSorted(compareRanks);
            expect(await queue(store, limit)).toEqual(ranks.map((rank) => rank.goal_id));
            expect(await store.viewCounts(REGISTRY)).toEqual(countsOf([...now.values()]));
          }),
        ),
        { numRuns: 15 },
      );
    });

    it("names the goals whose time has come", () =>
      onFresh(adapter, async (store) => {
        await store.saveViews(REGISTRY, [
          viewEntry("a", { next_change_at: at(9) }),
          viewEntry("b", { next_change_at: at(5) }),
          viewEntry("c"),
          viewEntry("d", { next_change_at: at(5) }),
        ]);
        expect(await store.dueViews(REGISTRY, at(4), 9)).toEqual([]);
        expect(await store.dueViews(REGISTRY, at(5), 9)).toEqual(["b", "d"]);
        expect(await store.dueViews(REGISTRY, at(9), 2)).toEqual(["b", "d"]);
        expect(await store.dueViews(REGISTRY, at(9), 9)).toEqual(["b", "d", "a"]);
      }));

    it("forgets some or all of one registry", () =>
      onFresh(adapter, async (store) => {
        await store.saveViews(
          REGISTRY,
          ["a", "b", "c"].map((id) => viewEntry(id, { run_count: 2 })),
        );
        await store.saveViews("/other", [viewEntry("a")]);
        expect(await store.forgetViews(REGISTRY, ["b", "x"].map(goalId))).toBe(1);
        expect(await store.viewCounts(REGISTRY)).toMatchObject({ goals: 2, runs: 4 });
        expect(await store.forgetViews(REGISTRY, [])).toBe(0);
        expect(await store.forgetViews(REGISTRY)).toBe(2);
        expect(await store.viewCounts(REGISTRY)).toEqual(NOTHING);
        expect((await store.viewCounts("/other")).goals).toBe(1);
      }));

    it("S4 refuses a cursor that it never gave", () =>
      onFresh(adapter, async (store) => {
        await expect(store.attention(REGISTRY, { after: "garbage", limit: 9 })).rejects.toMatchObject({ code: "bad_cursor" });
      }));
  });
}

function countsOf(entries: readonly ViewEntry[]): object {
  const sum = (of: (entry: ViewEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  const checks = entries.map((entry) => entry.checked_at).toSorted();
  return {
    goals: entries.length,
    attention: sum((entry) => Number(entry.rank !== null)),
    waiting_for_person: sum((entry) => Number(entry.rank?.waits_for_person ?? false)),
    runs: sum((entry) => entry.run_count),
    open_todos: sum((entry) => entry.open_todos),
    waiting_todos: sum((entry) => entry.waiting_todos),
    stopped: sum((entry) => entry.stopped),
    oldest_check: checks[0] ?? null,
  };
}
