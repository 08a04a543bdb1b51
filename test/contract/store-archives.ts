/** Where archived goals went. */
import { describe, expect, it } from "vitest";
import type { ArchiveRecord, Store } from "../../src/ports/store.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { at, goalId } from "./store-data.ts";

function archive(id: string, number: number): ArchiveRecord {
  return {
    goal_id: goalId(id),
    generation: 1,
    archive_path: `/archived/${id}-${number}`,
    archived_at: at(Math.floor(number / 2)),
    restored_at: null,
  };
}

async function paths(store: Store, query: { readonly goal_id: ReturnType<typeof goalId> | null; readonly limit: number }) {
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<Store["archives"]>> = await store.archives({ ...query, after });
    const last = page.at(-1);
    if (last === undefined) return found;
    found.push(...page.map((record) => record.archive_path));
    after = last.cursor;
  }
}

export function archivesContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: archives`, () => {
    it("pages newest first, of one goal or of all", () =>
      onFresh(adapter, async (store) => {
        for (const number of [3, 0, 2, 1]) await store.saveArchive(archive("g", number));
        await store.saveArchive(archive("h", 2));
        expect(await paths(store, { goal_id: goalId("g"), limit: 1 })).toEqual([3, 2, 1, 0].map((n) => `/archived/g-${n}`));
        expect(await paths(store, { goal_id: null, limit: 2 })).toEqual(
          ["h-2", "g-3", "g-2", "g-1", "g-0"].map((n) => `/archived/${n}`),
        );
        expect(await paths(store, { goal_id: goalId("x"), limit: 2 })).toEqual([]);
      }));

    it("updates the record of a path", () =>
      onFresh(adapter, async (store) => {
        await store.saveArchive(archive("g", 1));
        await store.saveArchive({ ...archive("g", 1), restored_at: at(9) });
        const [record, ...others] = await store.archives({ goal_id: goalId("g"), after: null, limit: 9 });
        expect(others).toEqual([]);
        expect(record).toEqual({ ...archive("g", 1), restored_at: at(9), cursor: record?.cursor });
      }));
  });
}
