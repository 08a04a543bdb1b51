/** The goals in which a todo, a lease or a receipt is found. */
import { describe, expect, it } from "vitest";
import type { GoalFact } from "../../src/core/events.ts";
import { type AgentId, parseAgentId } from "../../src/core/id.ts";
import type { GoalTrace, Store } from "../../src/ports/store.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, added, at, goalId, leased, OPENED, REGISTRY, record, todo, todoId } from "./store-data.ts";

function agent(text: string): AgentId {
  return parseAgentId(text) ?? expect.fail(`no agent id: ${text}`);
}

const ELSEWHERE: GoalFact = { type: "goal.opened", data: { registry: "/other/.loopx/registry.json" } };

async function found(store: Store, trace: GoalTrace): Promise<readonly string[]> {
  return await store.goalsWith(REGISTRY, trace);
}

export function goalsWithContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: goals by what is in them`, () => {
    it("finds every goal of the registry that has a todo, by id", () =>
      onFresh(adapter, async (store) => {
        for (const id of ["h", "g"]) await record(store, goalId(id), [OPENED, added(todo("both", { archived: id === "g" }))]);
        await record(store, goalId("i"), [ELSEWHERE, added(todo("both")), added(todo("elsewhere"))]);
        await record(store, goalId("g"), [added(todo("one"))]);
        expect(await found(store, { kind: "todo", todo_id: todoId("both") })).toEqual(["g", "h"]);
        expect(await found(store, { kind: "todo", todo_id: todoId("one") })).toEqual(["g"]);
        expect(await found(store, { kind: "todo", todo_id: todoId("elsewhere") })).toEqual([]);
        await record(store, goalId("g"), [{ type: "todo.withdrawn", data: { todo_id: todoId("one") } }]);
        expect(await found(store, { kind: "todo", todo_id: todoId("one") })).toEqual([]);
      }));

    it("finds who has a todo in hand until the lease is freed, whatever else the goal has", () =>
      onFresh(adapter, async (store) => {
        const [a, b] = [agent("a"), agent("b")];
        const todos = ["one", "two"].map((each) => added(todo(each)));
        await record(store, goalId("g"), [OPENED, ...todos, leased("one", a), leased("two", a)]);
        await record(store, goalId("h"), [OPENED, ...todos, leased("two", a), leased("one", b)]);
        await record(store, goalId("i"), [ELSEWHERE, ...todos, leased("one", a)]);
        expect(await found(store, { kind: "lease", owner: a, todo_id: null })).toEqual(["g", "h"]);
        expect(await found(store, { kind: "lease", owner: b, todo_id: null })).toEqual(["h"]);
        expect(await found(store, { kind: "lease", owner: a, todo_id: todoId("one") })).toEqual(["g"]);
        expect(await found(store, { kind: "lease", owner: null, todo_id: todoId("one") })).toEqual(["g", "h"]);
        await record(store, goalId("g"), [
          { type: "lease.freed", data: { todo_id: todoId("one"), epoch: 1, reason: "released" } },
          { type: "lease.freed", data: { todo_id: todoId("two"), epoch: 1, reason: "released" } },
        ]);
        expect(await found(store, { kind: "lease", owner: a, todo_id: null })).toEqual(["h"]);
        expect(await found(store, { kind: "lease", owner: agent("c"), todo_id: null })).toEqual([]);
      }));

    it("finds a receipt by its key, also one of a generation before", () =>
      onFresh(adapter, async (store) => {
        const receipt = { key: "done turn-1", fingerprint: "f", goal_id: goalId("g"), generation: 1, seq: 1, at: at(0) };
        await record(store, goalId("g"), [OPENED], { receipt });
        await record(store, goalId("h"), [OPENED], { receipt: { ...receipt, goal_id: goalId("h"), key: "done turn-2" } });
        expect(await found(store, { kind: "receipt", key: "done turn-1" })).toEqual(["g"]);
        await record(store, goalId("g"), ARCHIVED);
        await record(store, goalId("g"), [OPENED]);
        expect(await found(store, { kind: "receipt", key: "done turn-1" })).toEqual(["g"]);
        expect(await found(store, { kind: "receipt", key: "done turn-3" })).toEqual([]);
      }));
  });
}
