/**
 * What a store derives stays what the journal gives, when each command loads only the todos that it names.
 *
 * The oracle is the fold of the whole journal, and the frontier over all todos.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginJudging, changeOf, judge } from "../../src/commands/transact.ts";
import type { GoalEvent } from "../../src/core/events.ts";
import type { GoalCommand } from "../../src/core/goal/command.ts";
import { foldJournal } from "../../src/core/goal/fold-journal.ts";
import type { GoalState } from "../../src/core/goal/head.ts";
import { todosOfCommand } from "../../src/core/goal/todos-of-command.ts";
import type { TodoId } from "../../src/core/id.ts";
import { addMilliseconds, type Instant } from "../../src/core/instant.ts";
import { EMPTY_FRONTIER, frontierOf } from "../../src/core/next/frontier.ts";
import type { Store } from "../../src/ports/store.ts";
import { commandsOf, REGISTRY } from "../arbitrary/goal-commands.ts";
import { type Step, someSteps } from "../arbitrary/goal-steps.ts";
import { AGENTS } from "../arbitrary/goal-todos.ts";
import { G, START } from "../arbitrary/goal-walk.ts";
import { onFresh, type StoreAdapter, type StorePlace } from "./store-adapter.ts";

const STEPS = 40;

export function foldContract<P extends StorePlace>(name: string, adapter: StoreAdapter<P>): void {
  const walked = (check: (store: Store, now: Instant) => Promise<void>, runs: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(someSteps(STEPS), (steps) =>
        onFresh(adapter, async (store) => await check(store, await walkIn(store, steps))),
      ),
      { numRuns: name === "memory" ? runs * 4 : runs },
    );

  describe(`${name}: what follows from the journal`, () => {
    it("H1 G2 is the same bytes when only the todos of each command are loaded, and after a rebuild", () =>
      walked(async (store) => {
        const expected = textOf(foldJournal(await newestLife(store)));
        const whole = { goal_id: G, todos: "all", base: "none" } as const;
        expect(textOf(await store.load(whole))).toBe(expected);
        const linked = await linkedOf(store);
        await store.rebuild(G, foldJournal);
        expect(textOf(await store.load(whole))).toBe(expected);
        expect(await linkedOf(store)).toEqual(linked);
      }, 8));

    it("F1 F2 F3 F4 has the frontier that all todos have, for everybody and whenever it is asked for", () =>
      walked(async (store, now) => {
        const { head, todos } = await store.load({ goal_id: G, todos: "all", base: "none" });
        for (const agent of [null, ...AGENTS]) {
          for (const query of [
            { agent, now, limit: 50 },
            { agent, now: addMilliseconds(now, 2 * 3_600_000), limit: 2 },
            { agent, now: addMilliseconds(now, 60 * 3_600_000), limit: 1 },
          ]) {
            const { frontier } = await store.load({ goal_id: G, todos: "none", base: "none", frontier: query });
            expect(frontier).toEqual(frontierOf(todos.values(), query, head));
            const only = { ...query, only: "gates" } as const;
            const gates = await store.load({ goal_id: G, todos: "none", base: "none", frontier: only });
            expect(gates.frontier).toEqual({ ...EMPTY_FRONTIER, gates: frontier?.gates });
          }
        }
      }, 8));
  });
}

/** One transaction a command, on no more than it names; answers the time of the last one. */
async function walkIn(store: Store, steps: readonly Step[]): Promise<Instant> {
  let clock = START;
  await give(store, clock, () => [{ kind: "open-goal", registry: REGISTRY }]);
  for (const step of steps) {
    clock = addMilliseconds(clock, step.seconds * 1000);
    await give(store, clock, (state, now) => commandsOf(step, state, now), step);
  }
  return clock;
}

async function give(
  store: Store,
  clock: Instant,
  commandsAt: (state: GoalState, now: Instant) => readonly GoalCommand[],
  { agent }: Pick<Step, "agent"> = { agent: null },
): Promise<void> {
  const standing = await store.load({ goal_id: G, todos: "all", base: "none" });
  for (const command of commandsAt(standing, clock)) {
    await store.transact([{ goal_id: G, base: "none", ...todosOfCommand(command) }], ([loaded]) => {
      if (loaded === undefined) throw new Error("nothing was loaded");
      const judged = beginJudging(loaded, clock, agent === null ? {} : { agent_id: agent });
      const change = judge(judged, [command]) === null ? changeOf(judged) : null;
      return { answer: null, changes: change === null ? [] : [change] };
    });
  }
}

async function newestLife(store: Store): Promise<readonly GoalEvent[]> {
  return await store.events({ goal_id: G, order: "oldest_first", limit: 10_000 });
}

/** What is loaded with each todo tells which links the store has. */
async function linkedOf(store: Store): Promise<readonly (readonly [TodoId, readonly TodoId[]])[]> {
  const { todos } = await store.load({ goal_id: G, todos: "all", base: "none" });
  const found: (readonly [TodoId, readonly TodoId[]])[] = [];
  for (const id of todos.keys())
    found.push([id, [...(await store.load({ goal_id: G, todos: [id], needs_of: [id], base: "none" })).todos.keys()]]);
  return found;
}

function textOf({ head, todos }: GoalState): string {
  return JSON.stringify([head, [...todos.values()].sort((a, b) => (a.todo_id < b.todo_id ? -1 : 1))]);
}
