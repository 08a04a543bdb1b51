import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someSteps } from "../../../test/arbitrary/goal-steps.ts";
import { AGENTS, IDS } from "../../../test/arbitrary/goal-todos.ts";
import { walk } from "../../../test/arbitrary/goal-walk.ts";
import type { TodoRecord } from "../events.ts";
import { leaseOf } from "../goal/fence.ts";
import { at, gate, given, todo } from "../goal/goal.sample.ts";
import { handle } from "../goal/handle.ts";
import type { GoalState } from "../goal/head.ts";
import { ownerOf, writeScopesOf } from "../goal/todo-traits.ts";
import type { AgentId } from "../id.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import type { Decision, DecisionState } from "./decision.ts";
import { frontierOf } from "./frontier.ts";
import { next } from "./next.ts";
import { ask, FACTS, leaseOn, QUOTA } from "./situation.sample.ts";
import { whyNot } from "./why-not.ts";

const PLAIN = { instance: null, capabilities: [], seen: null };

function seenBy(who: AgentId, { head, todos }: GoalState, now: Instant): DecisionState {
  return {
    goal: FACTS,
    head,
    todos,
    frontier: frontierOf(todos.values(), { agent: who, now, limit: 20 }, head),
    quota: { kind: "set", state: QUOTA, is_zero: false },
    problem: null,
  };
}

/** Any state that a goal can get into, and a while later. */
function onStates(check: (state: GoalState, now: Instant) => void): void {
  fc.assert(
    fc.property(someSteps(30), fc.nat(7200), (steps, seconds) => {
      const { after, at: last } = given(walk(steps).at(-1));
      check(after, addMilliseconds(last, seconds * 1000));
    }),
    { numRuns: 60 },
  );
}

describe("the answer", () => {
  it("X1 I7 is the same for the same state, request and moment, and changes nothing", () =>
    onStates((state, now) => {
      const before = JSON.stringify(state.head);
      const [first, again] = [0, 1].map(() =>
        next(seenBy(given(AGENTS[0]), state, now), { ...PLAIN, agent: given(AGENTS[0]) }, now),
      );
      expect(first).toEqual(again);
      expect(JSON.stringify(state.head)).toBe(before);
    }));

  it("X2 always is one, in words, and names a time where it says to wait", () =>
    onStates((state, now) => {
      for (const who of AGENTS) {
        const { act, because, wait } = next(seenBy(who, state, now), { ...PLAIN, agent: who }, now);
        expect(because).not.toBe("");
        expect(wait !== null).toBe(act === "wait" || act === "ask");
        expect(wait === null || (wait.until > now && wait.minutes > 0)).toBe(true);
      }
    }));

  it("offers only what the agent may take, and nothing stands in its way", () =>
    onStates((state, now) => {
      for (const who of AGENTS) {
        const seen = seenBy(who, state, now);
        const { act, why, todo: offered } = next(seen, { ...PLAIN, agent: who }, now);
        if (act !== "run" || offered === null || why === "woke" || why === "continue") continue;
        expect(whyNot(seen, { todo: offered, request: { ...PLAIN, agent: who }, now })).toBeNull();
        expect(taking(state, { who, todo: offered, now })).toBe("accepted");
      }
    }));

  it("I5 stays what it was when a gate is added that is about another agent, or about another's todo", () =>
    onStates((state, now) => {
      const [me, other] = [given(AGENTS[0]), given(AGENTS[1])];
      const theirs = [...state.todos.values()]
        .filter((each) => ownerOf(each) === other && leaseOf(given(state.head), each.todo_id) === null)
        .map((each) => each.todo_id);
      const before = answerOf(next(seenBy(me, state, now), { ...PLAIN, agent: me }, now));
      for (const added of [
        gate("new_ask", { blocks_agent: other }),
        gate("new_ask", { unblocks_todo_id: theirs.join(",") || "todo_gone" }),
      ]) {
        const todos = new Map([...state.todos, [added.todo_id, added] as const]);
        const { open, waiting_for_person, ...counts } = given(state.head).todo_counts;
        const todo_counts = { ...counts, open: open + 1, waiting_for_person: waiting_for_person + 1 };
        const head = { ...given(state.head), todo_counts };
        expect(answerOf(next(seenBy(me, { head, todos }, now), { ...PLAIN, agent: me }, now))).toEqual(before);
      }
    }));

  it("F1 is the same when no more of the frontier was loaded than there are todos", () =>
    onStates((state, now) => {
      const who = given(AGENTS[2]);
      const seen = seenBy(who, state, now);
      const narrow = { ...seen, frontier: frontierOf(state.todos.values(), { agent: who, now, limit: IDS.length }, state.head) };
      expect(next(narrow, { ...PLAIN, agent: who }, now)).toEqual(next(seen, { ...PLAIN, agent: who }, now));
    }));
});

/** All but the time to wait, which follows from when the goal last changed. */
function answerOf({ act, why, todo: about, tell, token }: Decision): unknown {
  return { act, why, about: about?.todo_id ?? null, tell, token };
}

function taking(
  state: GoalState,
  { who, todo: wanted, now }: { readonly who: AgentId; readonly todo: TodoRecord; readonly now: Instant },
): string {
  const lease = {
    ...{ todo_id: wanted.todo_id, owner: who, ttl_ms: 1000, write_scopes: writeScopesOf(wanted) },
    reserved: { slots: 1, tokens: 0, wall_ms: 0 },
  };
  const active = state.head === null ? null : { ...state.head, lifecycle: { kind: "active" } as const };
  const handled = handle({ ...state, head: active }, { kind: "take-lease", lease }, now);
  return "kind" in handled ? handled.code : "accepted";
}

describe("the token", () => {
  const work = todo("work");

  it("X3 is equal for equal answers, however much time has gone by", () =>
    expect(ask({ todos: [work], now: at(9999) }).token).toBe(ask({ todos: [work] }).token));

  it("X3 changes with the rule, the todo, the agent and the gates that concern it", () => {
    const tokens = [
      ask({ todos: [work] }),
      ask({ todos: [todo("other")] }),
      ask({ todos: [work], by: "b2" }),
      ask({ todos: [work], head: { leases: leaseOn(work, "a1") } }),
      ask({ todos: [work, todo("one"), gate("ask", { unblocks_todo_id: "todo_one" })] }),
    ].map(({ token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("X3 does not change with a gate that is about another agent", () =>
    expect(ask({ todos: [work, gate("ask", { blocks_agent: "b2" })] }).token).toBe(ask({ todos: [work] }).token));
});

it("a question whose time is up with a no is due, and nobody is told of it again", () => {
  const asked = { todos: [gate("ask", { expires_at: at(5), default_outcome: "reject" })] };
  expect(ask({ ...asked, now: at(4) })).toMatchObject({
    because: "todo_ask waits for an answer",
    tell: { todo_ids: ["todo_ask"] },
  });
  const because = "the time of todo_ask is up: its answer, reject, is due";
  expect(ask({ ...asked, now: at(5) })).toMatchObject({ act: "ask", why: "gate", because, tell: null });
});

describe("the commands that go on", () => {
  const head = { leases: leaseOn(todo("work"), "a1", 100, { epoch: 7 }) };

  it.each([
    ["a claim, then done", { todos: [todo("work")] }, /^loopx claim --goal-id g --agent-id a1 --todo-id todo_work$/],
    ["done, with the number", { todos: [todo("work")], head }, /^loopx done .*--lease-epoch 7/],
    ["a look", { todos: [todo("watch", { task_class: "continuous_monitor" })] }, /^loopx poll .*--todo-id todo_watch$/],
    ["a next todo", {}, /^loopx todo add /],
    ["why nothing follows", { todos: [todo("one", { status: "done", gap: true })] }, /^loopx todo add /],
    ["asking again", { todos: [gate("ask")] }, /^loopx next /],
    [
      "writing down the answer of a question whose time is up",
      { todos: [gate("ask", { expires_at: at(5), default_outcome: "reject" })], now: at(5) },
      /^loopx poll --goal-id g --agent-id a1$/,
    ],
    ["the end of a limit", { todos: [], head: { waits: { a1: { until: at(60), reason: "x" } } } }, /^loopx quota resume /],
    ["what can be done more", { todos: [todo("gpu", { metadata: { required_capabilities: "gpu" } })] }, /--available-capability/],
    ["care", { state: { problem: { code: "x", message: "torn" } } }, /^loopx doctor/],
    ["a new beginning", { goal: { activation: "stopped" as const } }, /^loopx goal resume --goal-id g$/],
    ["bringing it back", { goal: { activation: "archived" as const } }, /^loopx restore --goal-id g$/],
    ["more quota", { state: { quota: { kind: "set" as const, state: QUOTA, is_zero: true } } }, /^loopx quota set /],
    ["more to do", { todos: [todo("one", { status: "done" })] }, /^loopx todo add /],
    ["another way", { todos: [todo("one", { stall: { observation: "o", failures: 2, quiet: 0 } })] }, /^loopx todo supersede /],
  ])("are %s", (_words, asked, first) => expect(ask(asked).commands[0]).toMatch(first));

  it("name no agent where none asked", () => {
    expect(ask({ todos: [todo("work")], by: null }).commands[0]).toBe("loopx claim --goal-id g --todo-id todo_work");
  });
});
