/** Looking back: what a goal was after any of its events. */
import { describe, expect, it } from "vitest";
import type { GoalEvent, GoalFact } from "../../src/core/events.ts";
import { foldJournal, foldOn } from "../../src/core/goal/fold-journal.ts";
import type { GoalState } from "../../src/core/goal/head.ts";
import type { Store } from "../../src/ports/store.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";
import { ARCHIVED, added, goalId, OPENED, record, todo, todoId } from "./store-data.ts";

const G = goalId("g");
const NAMES = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, "0")}x`);

/** Todos come, change, leave and come again, over several snapshots. */
function factsAt(step: number): readonly GoalFact[] {
  const name = NAMES[(step * 7) % NAMES.length] ?? "";
  const todo_id = todoId(name);
  const change = (text: string): GoalFact => ({ type: "todo.changed", data: { todo_id, fields: { text }, source: "command" } });
  if (step % 11 === 3) return [{ type: "todo.withdrawn", data: { todo_id } }];
  if (step % 11 === 5) return [added(todo(name, { text: `again ${step}` }))];
  // Several in one transaction: a snapshot lies behind the last of them.
  return step % 5 === 0 ? [change(`a ${step}`), change(`b ${step}`), change(`c ${step}`)] : [change(`d ${step}`)];
}

async function lived(store: Store): Promise<readonly GoalEvent[]> {
  await record(store, G, [OPENED, ...NAMES.slice(0, 6).map((name) => added(todo(name)))]);
  for (let step = 0; step < 420; step += 1) await record(store, G, factsAt(step));
  return await store.events({ goal_id: G, order: "oldest_first", limit: 10_000 });
}

async function stateAt(store: Store, events: readonly GoalEvent[], seq: number): Promise<GoalState> {
  const before = (await store.standingBefore(G, seq)) ?? { head: null, todos: new Map() };
  const from = before.head?.seq ?? 0;
  return foldOn(before, events.slice(from, seq));
}

function textOf({ head, todos }: GoalState): string {
  return JSON.stringify([head, [...todos].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

async function holds(store: Store, events: readonly GoalEvent[]): Promise<void> {
  const odd = Array.from({ length: Math.ceil(events.length / 13) }, (_, index) => 1 + index * 13);
  for (const seq of [...odd, 255, 256, 257, 512, events.length - 1, events.length]) {
    expect([seq, textOf(await stateAt(store, events, seq))]).toEqual([seq, textOf(foldJournal(events.slice(0, seq)))]);
  }
}

export function pastContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  describe(`${name}: looking back`, () => {
    it("gives what the journal up to there gives, also after a rebuild and with what came later", () =>
      onFresh(adapter, async (store) => {
        const events = await lived(store);
        await holds(store, events);
        await store.rebuild(G, foldJournal);
        await holds(store, events);
        for (let step = 420; step < 480; step += 1) await record(store, G, factsAt(step));
        await holds(store, await store.events({ goal_id: G, order: "oldest_first", limit: 10_000 }));
      }));

    it("reaches into the newest generation alone", () =>
      onFresh(adapter, async (store) => {
        await lived(store);
        await record(store, G, ARCHIVED);
        await record(store, G, [OPENED, added(todo("one"))]);
        expect(await store.standingBefore(G, 10_000)).toBeNull();
        const events = await store.events({ goal_id: G, order: "oldest_first", limit: 100 });
        expect(textOf(await stateAt(store, events, 2))).toBe(textOf(foldJournal(events)));
      }));

    it("knows nothing of a goal that is not there", () =>
      onFresh(adapter, async (store) => {
        expect(await store.standingBefore(goalId("nowhere"), 5)).toBeNull();
      }));
  });
}
