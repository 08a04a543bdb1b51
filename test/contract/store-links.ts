/** Which todos come with those that are named, and which do not. */
import { describe, expect, it } from "vitest";
import type { AgentId, TodoId } from "../../src/core/id.ts";
import type { LoadRequest } from "../../src/ports/store.ts";
import { AGENTS } from "../arbitrary/goal-todos.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, added, at, base, goalId, leased, OPENED, record, request, todo, todoId } from "./store-data.ts";

const G = goalId("g");

const needing = (name: string, ...needs: readonly string[]): ReturnType<typeof added> =>
  added(todo(name, { metadata: { depends_on: needs.map(todoId).join(",") } }));

const gate = (name: string, ...covers: readonly string[]): ReturnType<typeof added> =>
  added(todo(name, { role: "user", task_class: "user_gate", metadata: { unblocks_todo_id: covers.map(todoId).join(",") } }));

export function linksContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  const loads = (asked: Pick<LoadRequest, "todos" | "needs_of">, expected: readonly string[]): Promise<void> =>
    onFresh(adapter, async (store) => {
      await record(store, G, [
        OPENED,
        needing("top", "mid"),
        needing("mid", "low", "not_there"),
        added(todo("low")),
        gate("asks", "low", "to_come"),
        added(todo("other")),
      ]);
      const { todos } = await store.load(request(G, asked));
      expect([...todos.keys()]).toEqual(expected.map((id) => `todo_${id}`));
    });
  const ids = (...names: readonly string[]): readonly TodoId[] => names.map(todoId);

  describe(`${name}: todos that are linked`, () => {
    it("come with the one that needs them, and with the one that they need", () =>
      loads({ todos: ids("mid") }, ["low", "mid", "top"]));

    it("come with what a gate names, and the gate with those", () => loads({ todos: ids("asks") }, ["asks", "low"]));

    it("come with a todo that is not there yet", () => loads({ todos: ids("to_come") }, ["asks"]));

    it("come with a need that is not there", () => loads({ todos: ids("not_there") }, ["mid"]));

    it("stay away where nothing links them", () => loads({ todos: ids("other") }, ["other"]));

    it("come however far the needs go, without what waits for them and without gates", () =>
      loads({ todos: "none", needs_of: ids("top") }, ["low", "mid", "top"]));

    it("come once for both reasons", () => loads({ todos: ids("low"), needs_of: ids("mid") }, ["asks", "low", "mid"]));

    it("make no end of a circle", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, needing("one", "two"), needing("two", "one"), needing("self", "self")]);
        const { todos } = await store.load(request(G, { todos: "none", needs_of: ids("one", "self") }));
        expect([...todos.keys()]).toEqual(["todo_one", "todo_self", "todo_two"]);
      }));

    it("are no longer linked once the record says otherwise, or is gone, or a new life began", () =>
      onFresh(adapter, async (store) => {
        const linked = async (): Promise<readonly string[]> => [
          ...(await store.load(request(G, { todos: ids("low") }))).todos.keys(),
        ];
        await record(store, G, [OPENED, added(todo("low")), needing("one", "low"), needing("two", "low")]);
        expect(await linked()).toEqual(["todo_low", "todo_one", "todo_two"]);
        await record(store, G, [
          { type: "todo.changed", data: { todo_id: todoId("one"), fields: { metadata: {} }, source: "command" } },
          { type: "todo.withdrawn", data: { todo_id: todoId("two") } },
        ]);
        expect(await linked()).toEqual(["todo_low"]);
        await record(store, G, [needing("two", "low"), ...ARCHIVED]);
        await record(store, G, [OPENED]);
        await record(store, G, [added(todo("low"))]);
        expect(await linked()).toEqual(["todo_low"]);
      }));
  });

  describe(`${name}: a base`, () => {
    it("is loaded whole, without its text, or not at all", () =>
      onFresh(adapter, async (store) => {
        const whole = base("text", { ids: [todoId("one")], rendered_seq: 7 });
        await record(store, G, [OPENED], { base: whole });
        expect((await store.load(request(G, { base: "text" }))).base).toEqual(whole);
        expect((await store.load(request(G, { base: "facts" }))).base).toEqual({ ...whole, text: "", ids: [] });
        expect((await store.load(request(G, { base: "none" }))).base).toBeNull();
      }));
  });

  describe(`${name}: todos of leases`, () => {
    it("come with the frontier of the agent that holds them, and no other's", () =>
      onFresh(adapter, async (store) => {
        const now = at(0);
        const [holder = null, other = null] = AGENTS;
        if (holder === null) throw new Error("no agent");
        await record(store, G, [OPENED, added(todo("held")), added(todo("free")), leased("held", holder)]);
        const loaded = async (agent: AgentId | null): Promise<readonly string[]> => [
          ...(await store.load(request(G, { todos: "none", frontier: { agent, now, limit: 1 } }))).todos.keys(),
        ];
        expect(await loaded(holder)).toEqual(["todo_held"]);
        expect(await loaded(other)).toEqual([]);
        expect(await loaded(null)).toEqual(["todo_held"]);
      }));
  });
}
