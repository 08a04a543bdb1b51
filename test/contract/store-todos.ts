/** Todos by their order, and what a read notes about the plan. */
import { describe, expect, it } from "vitest";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { added, at, base, goalId, OPENED, record, request, todo, todoId } from "./store-data.ts";

const G = goalId("g");

export function todosContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: todos`, () => {
    it("loads all, some or none, by id", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, ...["c_1", "a_1", "b_1"].map((id) => added(todo(id)))]);
        const ids = async (todos: "all" | "none" | readonly ReturnType<typeof todoId>[]): Promise<readonly string[]> => [
          ...(await store.load(request(G, { todos }))).todos.keys(),
        ];
        expect(await ids("all")).toEqual(["todo_a_1", "todo_b_1", "todo_c_1"]);
        expect(await ids([todoId("c_1"), todoId("a_1"), todoId("zzz")])).toEqual(["todo_a_1", "todo_c_1"]);
        expect(await ids([])).toEqual([]);
        expect(await ids("none")).toEqual([]);
      }));

    it("replaces and removes", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, added(todo("one")), added(todo("two"))]);
        await record(store, G, [
          { type: "todo.changed", data: { todo_id: todoId("one"), fields: { text: "Other" }, source: "command" } },
          { type: "todo.withdrawn", data: { todo_id: todoId("two") } },
        ]);
        const { todos } = await store.load(request(G));
        expect([...todos.values()].map(({ todo_id, text }) => [todo_id, text])).toEqual([["todo_one", "Other"]]);
      }));

    it("gives ready todos of a role by priority, place, id", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [
          OPENED,
          added(todo("late", { index: 1 })),
          added(todo("third", { priority: 2, index: 9 })),
          added(todo("second", { priority: 2, index: 3 })),
          added(todo("first", { priority: 0, index: 9 })),
          added(todo("done", { priority: 0, status: "done" })),
          added(todo("blocked", { priority: 0, status: "blocked" })),
          added(todo("archived", { priority: 0, archived: true })),
          added(todo("person", { priority: 0, role: "user" })),
        ]);
        const ready = async (role: "agent" | "user", limit: number): Promise<readonly string[]> =>
          (await store.readyTodos(G, { role, limit })).map((record) => record.todo_id);
        expect(await ready("agent", 9)).toEqual(["todo_first", "todo_second", "todo_third", "todo_late"]);
        expect(await ready("agent", 2)).toEqual(["todo_first", "todo_second"]);
        expect(await ready("user", 9)).toEqual(["todo_person"]);
      }));

    it("gives pages of all todos: open, blocked, deferred, done, each in ready order, and how many there are", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [
          OPENED,
          added(todo("done", { priority: 0, status: "done" })),
          added(todo("deferred", { priority: 0, status: "deferred" })),
          added(todo("blocked", { priority: 0, status: "blocked" })),
          added(todo("second", { index: 2 })),
          added(todo("first", { priority: 3, index: 9 })),
          added(todo("person", { priority: 4, role: "user" })),
          added(todo("archived", { archived: true, status: "done" })),
        ]);
        const all = { statuses: [], role: null, archived: false, skip: 0, limit: 9 } as const;
        const page = async (query: Partial<Parameters<typeof store.todoPage>[1]>): Promise<readonly [string, number]> => {
          const { todos, count } = await store.todoPage(G, { ...all, ...query });
          return [todos.map(({ todo_id }) => todo_id.slice(5)).join(" "), count];
        };
        expect(await page({})).toEqual(["first person second blocked deferred done", 6]);
        expect(await page({ skip: 1, limit: 2 })).toEqual(["person second", 6]);
        expect(await page({ role: "agent", statuses: ["open", "done"] })).toEqual(["first second done", 3]);
        expect(await page({ role: "user" })).toEqual(["person", 1]);
        expect(await page({ archived: true })).toEqual(["archived", 1]);
        expect((await store.todoPage(goalId("none"), all)).count).toBe(0);
      }));

    it("finds open todos of a role with exactly a text", () =>
      onFresh(adapter, async (store) => {
        const text = 'Say "it\u2028" — 50 %';
        await record(store, G, [
          OPENED,
          added(todo("same", { text })),
          added(todo("need", {})),
          added(todo("near", { text: `${text} ` })),
          added(todo("closed", { text, status: "done" })),
          added(todo("archived", { text, archived: true })),
          added(todo("person", { text, role: "user" })),
        ]);
        const found = await store.load(request(G, { todos: "none", same_text: { role: "agent", text } }));
        expect([...found.todos.keys()]).toEqual(["todo_same"]);
      }));

    it("gives open todos that others than those named have claimed", () =>
      onFresh(adapter, async (store) => {
        const claimed = (by: string): { metadata: { claimed_by: string } } => ({ metadata: { claimed_by: by } });
        await record(store, G, [
          OPENED,
          added(todo("free")),
          added(todo("mine", claimed("codex"))),
          added(todo("second", { ...claimed("ghost"), priority: 3 })),
          added(todo("first", { ...claimed("stranger"), priority: 1 })),
          added(todo("done", { ...claimed("ghost"), status: "done" })),
        ]);
        const names = async (except: readonly string[], limit: number): Promise<readonly string[]> =>
          (await store.claimedTodos(G, { except, limit })).map((record) => record.todo_id);
        expect(await names(["codex"], 9)).toEqual(["todo_first", "todo_second"]);
        expect(await names(["codex", "ghost", "stranger"], 9)).toEqual([]);
        expect(await names([], 2)).toEqual(["todo_first", "todo_second"]);
      }));
  });

  describe(`${name}: sightings`, () => {
    const sighting = { sha256: "abc", first_read_at: at(1), missing: [todoId("one")], lacks_next_action: true };

    it("S3 notes a sighting beside the base and takes it back", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED], { base: base("text") });
        expect(await store.saveSighting(G, sighting)).toBe(true);
        expect((await store.load(request(G))).base).toEqual(base("text", { sighting }));
        expect(await store.saveSighting(G, null)).toBe(true);
        expect((await store.load(request(G))).base?.sighting).toBeNull();
      }));

    it("S3 notes nothing where there is no base", () =>
      onFresh(adapter, async (store) => {
        expect(await store.saveSighting(G, sighting)).toBe(false);
        expect((await store.load(request(G))).base).toBeNull();
      }));
  });
}
