/** S1, S2, S4: the journal and the one way to write. */
import { describe, expect, it } from "vitest";
import type { GoalChange, LoadedGoal, Receipt, Store } from "../../src/ports/store.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, added, at, base, changeBy, goalId, nextAction, OPENED, record, request, todo, todoId } from "./store-data.ts";

const G = goalId("g");

async function refused(store: Store, make: (loaded: LoadedGoal) => readonly GoalChange[]): Promise<void> {
  const before = [await store.load(request(G)), await store.lastPosition()];
  const attempt = store.transact([request(G)], ([loaded]) => ({
    answer: null,
    changes: loaded === undefined ? [] : make(loaded),
  }));
  await expect(attempt).rejects.toThrow(Error);
  expect([await store.load(request(G)), await store.lastPosition()]).toEqual(before);
}

export function journalContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: transact`, () => {
    it("S1 stores events, head, todos, base and receipt of a change together", () =>
      onFresh(adapter, async (store) => {
        const receipt: Receipt = { key: "k", fingerprint: "f", goal_id: G, generation: 1, seq: 2, at: at(1) };
        const pos = await record(store, G, [OPENED, added(todo("one"))], {
          base: base("text", { ids: [todoId("one")] }),
          receipt,
        });
        const loaded = await store.load(request(G, { receipt: "k" }));
        expect(loaded.head).toMatchObject({ goal_id: "g", generation: 1, seq: 2 });
        expect([...loaded.todos.values()]).toEqual([todo("one")]);
        expect(loaded.base).toEqual(base("text", { ids: [todoId("one")] }));
        expect(loaded.receipt).toEqual(receipt);
        expect(pos).toBe(await store.lastPosition());
        expect((await store.events({ goal_id: G, order: "oldest_first", limit: 9 })).map((event) => event.type)).toEqual([
          "goal.opened",
          "todo.added",
        ]);
      }));

    it("S1 loads nothing of a goal that has no journal", () =>
      onFresh(adapter, async (store) => {
        const loaded = await store.load(request(G, { receipt: "k" }));
        expect(loaded).toEqual({
          goal_id: "g",
          head: null,
          todos: new Map(),
          base: null,
          receipt: null,
          frontier: null,
          spend: null,
        });
        expect(await store.lastPosition()).toBeNull();
      }));

    it("S1 gives the goals in the order of the requests and changes several at once", () =>
      onFresh(adapter, async (store) => {
        const ids = ["b", "a", "c"].map(goalId);
        const { answer, pos } = await store.transact(
          ids.map((id) => request(id)),
          (loaded) => ({
            answer: loaded.map((goal) => goal.goal_id),
            changes: loaded.map((goal) => changeBy(goal, [OPENED])),
          }),
        );
        expect(answer).toEqual(["b", "a", "c"]);
        expect(pos).toBe(await store.lastPosition());
        expect((await store.heads({ after: null, limit: 9 })).map((head) => head.goal_id)).toEqual(["a", "b", "c"]);
      }));

    it("S1 ends without writing when there are no changes", () =>
      onFresh(adapter, async (store) => {
        const committed = await store.transact([request(G)], () => ({ answer: "no", changes: [] }));
        expect(committed).toEqual({ answer: "no", pos: null });
        expect(await store.heads({ after: null, limit: 9 })).toEqual([]);
      }));

    it("S1 leaves everything as it was when decide throws, and passes on what it threw", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        const before = await store.load(request(G));
        const thrown = new RangeError("no");
        const attempt = store.transact([request(G)], () => {
          throw thrown;
        });
        await expect(attempt).rejects.toBe(thrown);
        expect(await store.load(request(G))).toEqual(before);
        await record(store, G, [nextAction("go on")]);
        expect((await store.load(request(G))).head?.seq).toBe(2);
      }));

    it("S1 stores none of several changes when one is refused", () =>
      onFresh(adapter, async (store) => {
        const ids = ["a", "b"].map(goalId);
        const attempt = store.transact(
          ids.map((id) => request(id)),
          ([a, b]) => {
            if (a === undefined || b === undefined) throw new Error("not loaded");
            const wrong = changeBy(b, [OPENED, nextAction("x")]);
            return { answer: null, changes: [changeBy(a, [OPENED]), { ...wrong, events: wrong.events.slice(1) }] };
          },
        );
        await expect(attempt).rejects.toThrow(Error);
        expect(await store.heads({ after: null, limit: 9 })).toEqual([]);
        expect(await store.feed(null, 9)).toEqual([]);
      }));

    it("S1 refuses a decide that is asynchronous", () =>
      onFresh(adapter, async (store) => {
        const decide = (): never => Promise.resolve({ answer: 1, changes: [] }) as never;
        await expect(store.transact([request(G)], decide)).rejects.toThrow(Error);
        await record(store, G, [OPENED]);
      }));

    it("S1 serialises transactions that were started together", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        const writes = Array.from({ length: 40 }, (_, index) => record(store, G, [nextAction(`step ${index}`)]));
        const positions = await Promise.all(writes);
        expect(new Set(positions).size).toBe(40);
        const events = await store.events({ goal_id: G, order: "oldest_first", limit: 99 });
        expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
      }));
  });

  describe(`${name}: continuity`, () => {
    const WRONG: readonly (readonly [what: string, make: (right: GoalChange) => GoalChange])[] = [
      ["skips a number", (right) => ({ ...right, events: right.events.map((event) => ({ ...event, seq: event.seq + 1 })) })],
      ["repeats a number", (right) => ({ ...right, events: right.events.map((event) => ({ ...event, seq: event.seq - 1 })) })],
      [
        "belongs to another goal",
        (right) => ({ ...right, events: right.events.map((event) => ({ ...event, goal_id: goalId("h") })) }),
      ],
      ["is of another generation", (right) => ({ ...right, events: right.events.map((event) => ({ ...event, generation: 2 })) })],
      ["has a head before its end", (right) => ({ ...right, head: { ...right.head, seq: right.head.seq - 1 } })],
      ["has the head of another goal", (right) => ({ ...right, head: { ...right.head, goal_id: goalId("h") } })],
      [
        "changes todos without an event",
        (right) => ({ ...right, events: [], head: { ...right.head, seq: 1 }, todos_put: [todo("one")] }),
      ],
      ["is of a goal that was not loaded", (right) => ({ ...right, goal_id: goalId("h") })],
    ];

    it.each(WRONG)("S2 refuses a change that %s", (_, make) =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        await refused(store, (loaded) => [make(changeBy(loaded, [nextAction("x")]))]);
      }),
    );

    it("S2 refuses two changes of one goal, and one goal requested twice", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        await refused(store, (loaded) => [changeBy(loaded, [nextAction("x")]), changeBy(loaded, [nextAction("y")])]);
        const twice = store.transact([request(G), request(G)], () => ({ answer: null, changes: [] }));
        await expect(twice).rejects.toThrow(Error);
      }));

    it("S2 refuses a first event that is not number 1 of generation 1", () =>
      onFresh(adapter, async (store) => {
        await refused(store, (loaded) => {
          const right = changeBy(loaded, [OPENED]);
          const second = right.events.map((event) => ({ ...event, generation: 2 }));
          return [{ ...right, events: second, head: { ...right.head, generation: 2 } }];
        });
      }));

    it("S2 begins a new generation only where the head is archived, and leaves the old events", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, added(todo("one"))], { base: base("old") });
        await refused(store, (loaded) => [changeBy(loaded, [OPENED])]);
        await record(store, G, ARCHIVED);
        await record(store, G, [OPENED], { todos_removed: [] });
        const loaded = await store.load(request(G));
        expect(loaded.head).toMatchObject({ generation: 2, seq: 1 });
        expect(loaded.todos.size).toBe(0);
        expect(loaded.base).toBeNull();
        expect(await store.events({ goal_id: G, order: "oldest_first", limit: 9 })).toHaveLength(1);
        expect(await store.events({ goal_id: G, generation: 1, order: "oldest_first", limit: 9 })).toHaveLength(4);
        expect(await store.integrityProblems()).toEqual([]);
      }));

    it("S2 keeps no fact where only what is derivable is kept", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        const before = await store.lastPosition();
        const keep = async (make: (loaded: LoadedGoal) => GoalChange): Promise<unknown> =>
          await store.transact(
            [request(G)],
            ([loaded]) => ({ answer: null, changes: loaded === undefined ? [] : [make(loaded)] }),
            "derivable",
          );
        await expect(keep((loaded) => changeBy(loaded, [nextAction("x")]))).rejects.toThrow(Error);
        await keep((loaded) => ({ ...changeBy(loaded, []), base: base("shown") }));
        expect((await store.load(request(G))).base).toEqual(base("shown"));
        expect(await store.lastPosition()).toBe(before);
      }));

    it("S2 moves the base without an event", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        const before = await store.lastPosition();
        expect(await record(store, G, [], { base: base("first") })).toBeNull();
        expect(await record(store, G, [], { base: base("second", { rendered_seq: 1 }) })).toBeNull();
        expect((await store.load(request(G))).base).toEqual(base("second", { rendered_seq: 1 }));
        expect((await store.load(request(G, { base: "none" }))).base).toBeNull();
        expect(await store.lastPosition()).toBe(before);
      }));
  });

  describe(`${name}: receipts`, () => {
    const receipt = (key: string, seq: number, minute: number): Receipt => ({
      key,
      fingerprint: `content of ${key}`,
      goal_id: G,
      generation: 1,
      seq,
      at: at(minute),
    });

    it("S1 stores a key once and finds it for its goal alone", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED], { receipt: receipt("k", 1, 0) });
        await refused(store, (loaded) => [changeBy(loaded, [nextAction("x")], { receipt: receipt("k", 2, 1) })]);
        expect((await store.load(request(goalId("h"), { receipt: "k" }))).receipt).toBeNull();
        expect((await store.load(request(G, { receipt: "other" }))).receipt).toBeNull();
      }));

    it("S1 knows a pruned key for ever, without its content", () =>
      onFresh(adapter, async (store) => {
        const day = 24 * 60;
        await record(store, G, [OPENED], { receipt: receipt("old", 1, 0) });
        await record(store, G, [nextAction("x")], { receipt: receipt("young", 2, 5 * day) });
        await record(store, G, [nextAction("y")], { receipt: receipt("new", 3, 31 * day) });
        expect((await store.load(request(G, { receipt: "old" }))).receipt).toEqual({ ...receipt("old", 1, 0), fingerprint: "" });
        expect((await store.load(request(G, { receipt: "young" }))).receipt).toEqual(receipt("young", 2, 5 * day));
      }));
  });

  describe(`${name}: events`, () => {
    it("pages through a journal in both directions and by type", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED, nextAction("a"), added(todo("one")), nextAction("b"), nextAction("c")]);
        const seqs = async (query: object): Promise<readonly number[]> =>
          (await store.events({ goal_id: G, order: "oldest_first", limit: 99, ...query })).map((event) => event.seq);
        expect(await seqs({ limit: 2 })).toEqual([1, 2]);
        expect(await seqs({ limit: 2, beyond_seq: 2 })).toEqual([3, 4]);
        expect(await seqs({ order: "newest_first", limit: 2 })).toEqual([5, 4]);
        expect(await seqs({ order: "newest_first", beyond_seq: 4 })).toEqual([3, 2, 1]);
        expect(await seqs({ type: "plan.next_action_set" })).toEqual([2, 4, 5]);
        expect(await seqs({ type: "plan.next_action_set", order: "newest_first", beyond_seq: 5, limit: 1 })).toEqual([4]);
        expect(await seqs({ generation: 7 })).toEqual([]);
        expect(await store.events({ goal_id: goalId("h"), order: "oldest_first", limit: 9 })).toEqual([]);
      }));

    it("feeds the events of all goals in the order of their commits", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        await record(store, goalId("a"), [OPENED]);
        await record(store, G, [nextAction("x")]);
        const first = await store.feed(null, 2);
        expect(first.map(({ event }) => `${event.goal_id}/${event.seq}`)).toEqual(["g/1", "a/1"]);
        const rest = await store.feed(first[1]?.pos ?? null, 9);
        expect(rest.map(({ event }) => `${event.goal_id}/${event.seq}`)).toEqual(["g/2"]);
        expect(rest[0]?.pos).toBe(await store.lastPosition());
        expect(await store.feed(rest[0]?.pos ?? null, 9)).toEqual([]);
      }));

    it("S4 keeps an event as it was, order of keys included", () =>
      onFresh(adapter, async (store) => {
        const odd = todo("one", { text: 'ü 🙂 \\ "', metadata: { zeta: "1", alpha: "2", 10: "x" } });
        await record(store, G, [OPENED, added(odd)]);
        const [, event] = await store.events({ goal_id: G, order: "oldest_first", limit: 9 });
        expect(JSON.stringify(event)).toBe(
          JSON.stringify({
            goal_id: "g",
            generation: 1,
            seq: 2,
            at: at(0),
            type: "todo.added",
            data: { todo: odd, source: "command" },
          }),
        );
        const [loaded] = (await store.load(request(G))).todos.values();
        expect(JSON.stringify(loaded)).toBe(JSON.stringify(odd));
      }));

    it("S4 orders heads by code point and pages through them", () =>
      onFresh(adapter, async (store) => {
        const ids = ["ｚ", "Z", "a", "🙂", "é"];
        for (const id of ids) await record(store, goalId(id), [OPENED]);
        const ordered = ["Z", "a", "é", "ｚ", "🙂"];
        expect((await store.heads({ after: null, limit: 3 })).map((head) => head.goal_id)).toEqual(ordered.slice(0, 3));
        expect((await store.heads({ after: "é", limit: 3 })).map((head) => head.goal_id)).toEqual(ordered.slice(3));
      }));

    it("S4 refuses U+0000 and a cursor that it never gave", () =>
      onFresh(adapter, async (store) => {
        await record(store, G, [OPENED]);
        await refused(store, (loaded) => [changeBy(loaded, [], { base: base("a\0b") })]);
        await expect(store.feed("not a position", 9)).rejects.toMatchObject({ code: "bad_cursor" });
      }));
  });
}
