import { describe, expect, it } from "vitest";
import type { GoalFact } from "../events.ts";
import { foldJournal } from "./fold-journal.ts";
import { agent, at, given, id, SampleGoal, todo, turn } from "./goal.sample.ts";

const lease = {
  ...{ todo_id: id("gone"), owner: agent("a1"), epoch: 3, version: 1, ttl_ms: 1000, taken_at: at(0), renewed_at: at(0) },
  ...{ expires_at: at(1), write_scopes: [], reserved: { slots: 0, tokens: 0, wall_ms: 0 } },
};

const ABOUT_NOTHING: readonly GoalFact[] = [
  { type: "todo.changed", data: { todo_id: id("gone"), fields: { text: "x" }, source: "file" } },
  { type: "todo.withdrawn", data: { todo_id: id("gone") } },
  { type: "lease.renewed", data: { todo_id: id("gone"), epoch: 1, version: 2, ttl_ms: 1, expires_at: at(1) } },
  { type: "lease.freed", data: { todo_id: id("gone"), epoch: 1, reason: "released" } },
  { type: "turn.voided", data: { spent_seq: 99, units: { slots: 0, tokens: 0, wall_ms: 0 }, reason: "" } },
  {
    type: "turn.written",
    data: { turn_id: turn("t"), todo_id: id("gone"), outcome: "wait", summary: "", observation: "", evidence: [] },
  },
  { type: "agent.wait_ended", data: { agent_id: agent("constructor"), reason: "" } },
];

describe("an event about what is not there", () => {
  it.each(ABOUT_NOTHING.map((fact) => [fact.type, fact] as const))("G3 changes no more than the count: %s", (_type, fact) => {
    const goal = new SampleGoal(todo("one"));
    const { seq, last_at, intent_seq, plan_seq, runtime_bytes, ...before } = goal.head;
    goal.record(fact);
    expect(goal.head).toMatchObject(before);
    expect([goal.head.seq, goal.draft.todos.size]).toEqual([seq + 1, 1]);
    expect(runtime_bytes).toBeLessThan(goal.head.runtime_bytes);
  });

  it("G3 L1 keeps its number when it is a lease", () => {
    const goal = new SampleGoal();
    goal.record(
      { type: "lease.taken", data: lease },
      { type: "lease.freed", data: { todo_id: id("gone"), epoch: 3, reason: "expired" } },
    );
    expect([goal.head.fence, goal.head.leases, goal.draft.todos.size]).toEqual([3, {}, 0]);
  });

  it("G3 is nothing before the goal was opened", () => {
    const { events } = new SampleGoal(todo("one")).draft;
    expect(foldJournal(events.slice(1))).toEqual({ head: null, todos: new Map() });
    const seen: number[] = [];
    foldJournal(events, ({ seq }) => seen.push(seq));
    expect(seen).toEqual([1, 2]);
  });

  it("G3 a turn without an id leaves the open ones open", () => {
    const goal = new SampleGoal(todo("one"));
    const decided = { turn_id: turn("t"), act: "run", why: "work", todo_id: null, request: "r", answer: {} };
    goal.give({ kind: "open-turn", turn: decided });
    const written = { todo_id: null, outcome: "progress", summary: "", observation: "", evidence: [] } as const;
    goal.give({ kind: "write-turn", turn: written });
    expect(Object.keys(goal.head.turns)).toEqual(["t"]);
    expect(given(goal.head.unspent[""]).turn_id).toBeNull();
  });
});

describe("leases and turns beside the plan", () => {
  it("H1 ask for a rendering when a claim comes or goes, and for none when a lease is renewed or a turn is spent", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    const { seq } = goal.head;
    expect([goal.head.plan_seq, goal.head.intent_seq]).toEqual([seq, seq]);
    goal.record({ type: "lease.renewed", data: { todo_id: id("one"), epoch: 1, version: 2, ttl_ms: 1, expires_at: at(9) } });
    goal.record({ type: "turn.spent", data: { todo_id: null, units: { slots: 1, tokens: 0, wall_ms: 0 }, source: "x" } });
    expect([goal.head.plan_seq, goal.head.intent_seq]).toEqual([seq, seq]);
    goal.record({ type: "lease.freed", data: { todo_id: id("one"), epoch: 1, reason: "released" } });
    expect(goal.head.plan_seq).toBe(goal.head.seq);
  });
});
