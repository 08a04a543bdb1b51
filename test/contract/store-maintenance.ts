/** Care of the store as a whole. */
import { describe, expect, it } from "vitest";
import type { GoalFact } from "../../src/core/events.ts";
import { draftOf } from "../../src/core/goal/draft.ts";
import { evolve } from "../../src/core/goal/evolve.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, added, goalId, nextAction, OPENED, record, request, todo, todoId } from "./store-data.ts";

const G = goalId("g");

export function maintenanceContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: maintenance`, () => {
    it("S1 runs exclusive work once and passes on its answer or its error", () =>
      onFresh(adapter, async (store) => {
        expect(await store.exclusively(() => 17)).toBe(17);
        const thrown = new RangeError("no");
        const attempt = store.exclusively(() => {
          throw thrown;
        });
        await expect(attempt).rejects.toBe(thrown);
        await expect(store.exclusively(() => Promise.resolve(1))).rejects.toThrow(Error);
        await record(store, G, [OPENED]);
      }));

    it("finds nothing wrong with what it wrote itself", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, added(todo("one"))]);
        expect(await store.integrityProblems()).toEqual([]);
      }));

    it("rebuilds what is derived to what it was", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, added(todo("gone_1"))]);
        await record(store, G, ARCHIVED);
        const steps: GoalFact[] = Array.from({ length: 300 }, (_, index) => nextAction(`step ${index}`));
        await record(store, G, [OPENED, added(todo("one")), ...steps, added(todo("two"))]);
        await record(store, G, [{ type: "todo.withdrawn", data: { todo_id: todoId("one") } }]);
        const before = await store.load(request(G));
        const { events } = await store.rebuild(G, (journal, snapshot) => {
          const draft = draftOf(G, { head: null, todos: new Map() });
          for (const event of journal) {
            evolve(draft, event);
            if (draft.head !== null) snapshot(draft.head, draft.todos);
          }
          return draft;
        });
        expect(events).toBe(304);
        const after = await store.load(request(G));
        expect(JSON.stringify([after.head, ...after.todos])).toBe(JSON.stringify([before.head, ...before.todos]));
        expect(await store.integrityProblems()).toEqual([]);
      }));

    it("leaves all as it was when a rebuild fails", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, added(todo("one"))]);
        const before = await store.load(request(G));
        const attempt = store.rebuild(G, (journal) => {
          for (const event of journal) if (event.seq === 2) throw new RangeError("no");
          return { head: null, todos: new Map() };
        });
        await expect(attempt).rejects.toThrow(RangeError);
        expect(await store.load(request(G))).toEqual(before);
        await record(store, G, [nextAction("x")]);
      }));

    it("S3 remembers the highest run in the mirror of each generation", () =>
      onFresh(adapter, async (store) => {
        expect(await store.mirroredSeq(G, 1)).toBe(0);
        expect(await store.saveMirroredSeq(G, 1, 4)).toBe(true);
        await store.saveMirroredSeq(G, 2, 1);
        await store.saveMirroredSeq(G, 1, 9);
        expect([await store.mirroredSeq(G, 1), await store.mirroredSeq(G, 2)]).toEqual([9, 1]);
      }));

    it("S3 keeps notes of at most 64 KiB", () =>
      onFresh(adapter, async (store) => {
        expect(await store.note("k")).toBeNull();
        expect(await store.saveNote("k", "old")).toBe(true);
        expect(await store.saveNote("k", "ü".repeat(32_768))).toBe(true);
        await expect(store.saveNote("k", "x".repeat(65_537))).rejects.toThrow(Error);
        expect(await store.note("k")).toBe("ü".repeat(32_768));
        expect(await store.note("other")).toBeNull();
      }));

    it("says what it is", () =>
      onFresh(adapter, async (store, place) => {
        expect(store.facts()).toMatchObject({ access: "read_write", format: expect.any(Number) });
        expect(store.facts().store_id).toMatch(/^[0-9a-f]{16,}$/);
        expect(store.facts()).toEqual(place.store.facts());
      }));
  });

  const { copy } = adapter;
  if ("lacks" in copy) return;
  describe(`${name}: copies`, () => {
    it("S3 copies one committed state to a new file, and never over an old one", () =>
      onFresh(adapter, async (store, place) => {
        await record(store, G, [OPENED, added(todo("one"))]);
        const target = copy(place);
        await store.copyTo(target.path);
        await expect(store.copyTo(target.path)).rejects.toThrow(Error);
        await record(store, G, [nextAction("later")]);
        const opened = await target.open();
        expect((await opened.load(request(G))).head?.seq).toBe(2);
        expect(opened.facts().store_id).toBe(store.facts().store_id);
        await opened.close();
      }));
  });
}
