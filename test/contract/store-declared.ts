/** The registry as it was last read. */
import { describe, expect, it } from "vitest";
import type { DeclaredRow, RegistryCheckpoint } from "../../src/ports/store-declared.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { REGISTRY } from "./store-data.ts";

const CHECKPOINT: RegistryCheckpoint = {
  path: REGISTRY,
  fingerprint: "fp",
  sha256: "abc",
  goal_count: 3,
  header: '{"z":1,"a":2}',
  problems: [{ code: "duplicate_goal", message: "twice", line: 4 }],
};

function rows(...ids: readonly string[]): readonly DeclaredRow[] {
  return ids.map((goal_id, ordinal) => ({ goal_id, ordinal, data: JSON.stringify({ id: goal_id, ordinal }) }));
}

export function declaredContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: declared goals`, () => {
    it("answers the registry as it was saved, and null for one that was not", () =>
      onFresh(adapter, async (store) => {
        expect(await store.registry(REGISTRY)).toBeNull();
        expect(await store.saveRegistry(CHECKPOINT, rows("a"))).toBe(true);
        expect(await store.registry(REGISTRY)).toEqual(CHECKPOINT);
        expect(await store.registry("/elsewhere")).toBeNull();
      }));

    it("keeps both entries of an id that is named twice", () =>
      onFresh(adapter, async (store) => {
        await store.saveRegistry(CHECKPOINT, rows("b", "a", "b"));
        expect((await store.declared(REGISTRY, "b")).map((row) => row.ordinal)).toEqual([0, 2]);
        expect(await store.declared(REGISTRY, "c")).toEqual([]);
      }));

    it("S4 pages by id and ordinal in code point order", () =>
      onFresh(adapter, async (store) => {
        await store.saveRegistry(CHECKPOINT, rows("🙂", "b", "ｚ", "b", "B"));
        const first = await store.declaredPage(REGISTRY, { after: null, limit: 2 });
        expect(first.map(({ goal_id, ordinal }) => [goal_id, ordinal])).toEqual([
          ["B", 4],
          ["b", 1],
          ["b", 3],
        ]);
        const rest = await store.declaredPage(REGISTRY, { after: "b", limit: 9 });
        expect(rest.map(({ goal_id, ordinal }) => [goal_id, ordinal])).toEqual([
          ["ｚ", 2],
          ["🙂", 0],
        ]);
      }));

    it("replaces what was known of this registry and of no other", () =>
      onFresh(adapter, async (store) => {
        await store.saveRegistry({ ...CHECKPOINT, path: "/other" }, rows("a"));
        await store.saveRegistry(CHECKPOINT, rows("a", "b"));
        await store.saveRegistry({ ...CHECKPOINT, fingerprint: "fp2" }, rows("b", "c"));
        const ids = async (path: string): Promise<readonly string[]> =>
          (await store.declaredPage(path, { after: null, limit: 9 })).map((row) => row.goal_id);
        expect(await ids(REGISTRY)).toEqual(["b", "c"]);
        expect(await ids("/other")).toEqual(["a"]);
        expect((await store.registry(REGISTRY))?.fingerprint).toBe("fp2");
        expect((await store.declared(REGISTRY, "b"))[0]).toEqual({ goal_id: "b", ordinal: 0, data: '{"id":"b","ordinal":0}' });
      }));
  });
}
