import { describe, expect, it } from "vitest";
import type { Evidence, TurnOutcome, Units, WrittenTurn } from "../events.ts";
import { agent, at, id, SampleGoal, todo, turn } from "./goal.sample.ts";
import type { TurnCommand } from "./turn.ts";

const UNITS: Units = { slots: 2, tokens: 30, wall_ms: 400 };

const opening = (name: string, request = "r"): TurnCommand => ({
  kind: "open-turn",
  turn: { turn_id: turn(name), act: "run", why: "work", todo_id: id("one"), request, answer: {} },
});

const writing = (outcome: TurnOutcome, fields: Partial<WrittenTurn> = {}): TurnCommand => ({
  kind: "write-turn",
  turn: { turn_id: turn("t-1"), todo_id: id("one"), outcome, summary: "s", observation: "o", evidence: [], ...fields },
});

const spending = (agentId: string | null, turnId: string | null = null): TurnCommand => ({
  kind: "spend",
  turn_id: turnId === null ? null : turn(turnId),
  agent_id: agentId === null ? null : agent(agentId),
  todo_id: null,
  units: UNITS,
  source: "agent",
});

const a1 = { agent: "a1" };

describe("a turn", () => {
  it("N1 is decided once: again is no event, with another request it is refused while it is open", () => {
    const goal = new SampleGoal(todo("one"));
    goal.give(opening("t-1"), a1);
    const { length } = goal.draft.events;
    expect(goal.give(opening("t-1"), a1)).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
    expect(goal.refusal(opening("t-1", "s"))).toMatchObject({ code: "turn_open", details: { todo_id: "todo_one" } });
    goal.give(writing("progress"), a1);
    expect(goal.give(opening("t-1", "s"), a1)).toBe("accepted");
  });

  it.each(["__proto__", "constructor", "7"])("N1 may be called %s", (name) => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.give(opening(name), a1)).toBe("accepted");
    expect(Object.keys(goal.head.turns)).toEqual([name]);
    expect(goal.give(opening(name, "s"), a1)).toBe("turn_open");
    goal.give(writing("wait", { turn_id: turn(name) }), a1);
    expect(Object.keys(goal.head.turns)).toEqual([]);
  });

  it("U1 keeps the newest open turns alone, whatever they are called", () => {
    const goal = new SampleGoal(todo("one"));
    for (let count = 100; count > 0; count -= 1) goal.give(opening(count % 2 === 0 ? `${count}` : `t-${count}`), a1);
    const open = Object.values(goal.head.turns);
    expect(open).toHaveLength(64);
    expect(Math.min(...open.map(({ seq }) => seq))).toBe(goal.head.seq - 63);
  });
});

describe("spending", () => {
  it.each(["completed", "progress"] as const)("N2 N3 comes once after a turn that was written as %s", (outcome) => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.give(spending("a1"), a1)).toBe("spend_without_turn");
    goal.give(writing(outcome), a1);
    expect(goal.give(spending("b2"), { agent: "b2" })).toBe("spend_without_turn");
    expect(goal.give(spending("a1", "t-2"), a1)).toBe("spend_without_turn");
    expect(goal.give(spending("a1", "t-1"), a1)).toBe("accepted");
    expect(goal.draft.events.at(-1)?.data).toEqual({ turn_id: "t-1", todo_id: "todo_one", units: UNITS, source: "agent" });
    expect(goal.give(spending("a1"), a1)).toBe("spend_without_turn");
    expect(goal.head.spent).toEqual(UNITS);
  });

  it.each(["repair", "replan", "ask", "wait", "failed"] as const)(
    "N2 is nothing for a turn that was written as %s",
    (outcome) => {
      const goal = new SampleGoal(todo("one"));
      goal.give(writing(outcome), a1);
      expect(goal.give(spending("a1"), a1)).toBe("spend_without_turn");
    },
  );

  it("N2 comes after a recorded run that delivered, of an agent that has no name too", () => {
    const goal = new SampleGoal(todo("one"));
    const run = (delivery_outcome: string): void =>
      goal.record({
        type: "run.recorded",
        data: {
          ...{ classification: "progress", recommended_action: "", recommended_action_source: "", health_check: "" },
          ...{ progress_scope: "goal", delivery_outcome, state: null },
        },
      });
    run("surface_only");
    expect(goal.give(spending(null))).toBe("spend_without_turn");
    run("outcome_progress");
    expect(goal.give(spending(null))).toBe("accepted");
  });

  it("N2 is of no agent whose name every object knows", () => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.give(spending("constructor"), { agent: "constructor" })).toBe("spend_without_turn");
    expect(goal.give({ kind: "release-agent", agent_id: agent("constructor"), reason: "" })).toBe("accepted");
    expect(goal.draft.events.at(-1)?.type).toBe("todo.added");
  });

  it("is taken back by its number", () => {
    const goal = new SampleGoal(todo("one"));
    goal.give(writing("progress"), a1);
    goal.give(spending("a1"), a1);
    goal.give({ kind: "void-spend", spent_seq: goal.head.seq, units: UNITS, reason: "twice" });
    expect(goal.head.spent).toEqual({ slots: 0, tokens: 0, wall_ms: 0 });
  });
});

describe("turns that bring nothing new", () => {
  const stallOf = (...turns: readonly TurnCommand[]): unknown => {
    const goal = new SampleGoal(todo("one"));
    for (const each of turns) goal.give(each, a1);
    return goal.todo("one").stall;
  };

  it("U2 are counted until something new is seen", () => {
    expect(stallOf(writing("progress"))).toEqual({ observation: "o", failures: 0, quiet: 0 });
    expect(stallOf(writing("progress"), writing("progress"))).toEqual({ observation: "o", failures: 0, quiet: 1 });
    expect(stallOf(writing("progress"), writing("progress"), writing("progress", { observation: "p" }))).toMatchObject({
      quiet: 0,
    });
    expect(stallOf(writing("progress", { observation: "" }), writing("progress", { observation: "" }))).toMatchObject({
      quiet: 2,
    });
  });

  it("U2 count as failures while they fail in the same way", () => {
    expect(stallOf(writing("failed"), writing("repair"))).toMatchObject({ failures: 2, quiet: 1 });
    expect(stallOf(writing("failed"), writing("failed", { observation: "p" }))).toEqual({
      observation: "p",
      failures: 1,
      quiet: 0,
    });
    expect(stallOf(writing("failed"), writing("failed"), writing("progress", { observation: "p" }))).toMatchObject({
      failures: 0,
    });
  });

  it("U2 are of their todo alone; a turn on none leaves all as they are", () => {
    expect(stallOf(writing("failed", { todo_id: null }), writing("failed", { todo_id: id("none") }))).toBeUndefined();
  });
});

describe("an agent that has to wait", () => {
  it("is known until its time, or until somebody lets it go", () => {
    const goal = new SampleGoal();
    goal.give({ kind: "hold-agent", until: at(60), reason: "limit" }, a1);
    goal.give({ kind: "hold-agent", until: at(90), reason: "limit" }, { agent: "b2" });
    expect(Object.keys(goal.head.waits)).toEqual(["a1", "b2"]);
    goal.give({ kind: "release-agent", agent_id: agent("b2"), reason: "go on" });
    expect(goal.head.waits).toEqual({ a1: { until: at(60), reason: "limit" } });
    goal.now = at(60);
    goal.give({ kind: "hold-agent", until: at(99), reason: "limit" }, { agent: "c3" });
    expect(Object.keys(goal.head.waits)).toEqual(["c3"]);
  });

  it("has a name", () => {
    const goal = new SampleGoal();
    goal.give({ kind: "hold-agent", until: at(60), reason: "limit" });
    expect(goal.head.waits).toEqual({});
  });
});

describe("what a goal takes on the disk", () => {
  it("grows with its events and their blobs, until it is measured", () => {
    const goal = new SampleGoal();
    const before = goal.head.runtime_bytes;
    const output = { sha256: "x", bytes: 5000 };
    const evidence = {
      ...{ label: "test", argv: ["true"], outcome: "passed" as const, exit_code: 0, duration_ms: 1 },
      ...{ tree_hash: null, environment: null, output },
    } satisfies Evidence;
    goal.give({ kind: "record-evidence", evidence });
    expect(goal.head.runtime_bytes).toBeGreaterThan(before + 5000);
    goal.give({ kind: "measure-runtime", bytes: 77 });
    expect(goal.head.runtime_bytes).toBe(77);
    const { length } = goal.draft.events;
    goal.give({ kind: "measure-runtime", bytes: 77 });
    expect(goal.since(length)).toEqual([]);
  });
});
