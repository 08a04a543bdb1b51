import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { someSteps } from "../../test/arbitrary/goal-steps.ts";
import { AGENTS } from "../../test/arbitrary/goal-todos.ts";
import { walk } from "../../test/arbitrary/goal-walk.ts";
import { CLAIM, NEXT } from "../../test/fakes/turns.ts";
import { makeWorld, REFRESH, type StoreKind } from "../../test/fakes/workspace.ts";
import { at, given, todo } from "../core/goal/goal.sample.ts";
import { addMilliseconds } from "../core/instant.ts";
import type { Decision, DecisionState } from "../core/next/decision.ts";
import { EMPTY_FRONTIER, frontierOf } from "../core/next/frontier.ts";
import { next } from "../core/next/next.ts";
import { FACTS, QUOTA } from "../core/next/situation.sample.ts";
import { mayBeBeyondPage, PAGE_GROWTH } from "./frontier-page.ts";
import { valueFrom } from "./workspace.sample.ts";

const FULL = { ...EMPTY_FRONTIER, work: [todo("one", { priority: 1 }), todo("two", { priority: 2 })] };
const DUE = { ...EMPTY_FRONTIER, monitors: [todo("watch", { task_class: "continuous_monitor", priority: 1 })] };
const LATER = todo("later", { task_class: "continuous_monitor", priority: 1, metadata: { next_due_at: at(9) } });

it.each<[string, Pick<Decision, "why" | "todo">, Partial<DecisionState["frontier"]>, boolean]>([
  ["work of the page", { why: "work", todo: todo("two") }, FULL, false],
  ["a lease", { why: "continue", todo: todo("other") }, FULL, false],
  ["the quota", { why: "throttled", todo: null }, FULL, false],
  ["what woke, behind work that cannot be done", { why: "woke", todo: todo("other") }, FULL, true],
  ["others' work", { why: "peers_own", todo: null }, FULL, true],
  ["a monitor, behind such work of a higher rank", { why: "monitor_due", todo: todo("watch", { priority: 3 }) }, FULL, true],
  ["a monitor before all of it", { why: "monitor_due", todo: todo("watch", { priority: 0 }) }, FULL, false],
  ["work, behind monitors that cannot be looked at", { why: "work", todo: todo("one", { priority: 2 }) }, DUE, true],
  ["work before them", { why: "work", todo: todo("one", { priority: 0 }) }, DUE, false],
  ["work, where all that is due was seen", { why: "work", todo: todo("one") }, { monitors: [LATER] }, false],
  ["a monitor-only agent's wait", { why: "monitor_only", todo: null }, FULL, false],
  ["a wait, behind closed work of others", { why: "waiting_on", todo: null }, { gaps: [todo("gone")] }, true],
  ["a gap", { why: "gap", todo: todo("gone") }, { gaps: [todo("gone")], woken: [todo("woken")] }, false],
])("G2 behind a full page that answered with %s may be another answer", (_words, decision, lists, expected) => {
  const frontier = { ...EMPTY_FRONTIER, ...lists };
  const limit = Math.max(...Object.values(lists).map((list) => (Array.isArray(list) ? list.length : 0)));
  expect(mayBeBeyondPage(decision, { frontier, limit, now: at(0) })).toBe(expected);
  expect(mayBeBeyondPage(decision, { frontier, limit: limit + 1, now: at(0) })).toBe(false);
});

test("G1 the todo that is to be acted on is the one that a look at all todos gives", () =>
  fc.assert(
    fc.property(someSteps(40), fc.nat(7200), (steps, seconds) => {
      const { after, at: last } = given(walk(steps).at(-1));
      const now = addMilliseconds(last, seconds * 1000);
      for (const agent of [null, ...AGENTS]) {
        const answer = (limit: number): Decision => {
          const frontier = frontierOf(after.todos.values(), { agent, now, limit }, after.head);
          const state = {
            goal: FACTS,
            ...after,
            frontier,
            quota: { kind: "set", state: QUOTA, is_zero: false },
            problem: null,
          } as const;
          const decision = next(state, { agent, instance: null, capabilities: [], seen: null }, now);
          return mayBeBeyondPage(decision, { frontier, limit, now }) ? answer(limit * PAGE_GROWTH) : decision;
        };
        expect(toDo(answer(1))).toEqual(toDo(answer(1000)));
      }
    }),
    { numRuns: 100 },
  ));

/** Where nothing is to be done, words may differ with what was looked at. */
function toDo({ act, why, todo: about }: Decision): unknown {
  return act === "run" || act === "poll" || act === "replan" ? { act, why, about: about?.todo_id ?? null } : "nothing";
}

const many = (line: (index: number) => string): string => Array.from({ length: 70 }, (_, index) => line(index)).join("\n");
const ready = (index: number): string => `- [ ] [P1] Do ${index}`;
const watch = (id: string | number, rank: number, metadata: string): string =>
  `- [ ] [P${rank}] Look at ${id}\n  <!-- loopx:todo todo_id=todo_watch${id} task_class=continuous_monitor watch_only=true ${metadata} -->`;
const EARLY = "next_due_at=2026-01-01T00:00:00Z";
const LATE = "next_due_at=2026-01-01T12:00:00Z";
const OWN = (rank: number): string => `- [ ] [P${rank}] Go on\n  <!-- loopx:todo todo_id=todo_own claimed_by=builder -->`;

describe.each<StoreKind>(["memory", "sqlite"])("G1 behind 70 others, %s", (store) => {
  it.each<[string, string, object]>([
    ["one's own claim", `${many(ready)}\n${OWN(1)}`, { why: "work", todo: { todo_id: "todo_own" } }],
    ["no claim of a lower rank", `${many(ready)}\n${OWN(2)}`, { why: "work", todo: { text: expect.stringContaining("Do 0") } }],
    [
      "a monitor of a higher rank that is due later",
      `${many(ready)}\n${many((index) => watch(index, 2, EARLY))}\n${watch("late", 0, LATE)}`,
      { why: "monitor_due", todo: { todo_id: "todo_watchlate" } },
    ],
    [
      "the one monitor that the agent may look at",
      `${many(ready)}\n${many((index) => watch(index, 0, `${EARLY} excluded_agents=builder`))}\n${watch("late", 0, LATE)}`,
      { why: "monitor_due", todo: { todo_id: "todo_watchlate" } },
    ],
  ])("is found %s", async (_words, todos, expected) => {
    const world = await makeWorld({ store, state: `# Alpha\n\n## Agent Todo\n\n${todos}\n` });
    await world.app.refresh({ ...REFRESH });
    expect(await valueFrom(world.app.next(NEXT))).toMatchObject(expected);
    const { todo: claimed } = await valueFrom(world.app.claim(CLAIM));
    expect({ todo: claimed }).toMatchObject({ todo: (expected as { todo: object }).todo });
    await world.close();
  });
});
