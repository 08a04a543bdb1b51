/** Each law can be broken: a step that breaks it, made by hand, is found. */
import { describe, expect, it } from "vitest";
import type { GoalEvent, GoalFact } from "../../events.ts";
import { agent, at, gate, id, todo, turn } from "../../goal/goal.sample.ts";
import type { GoalId } from "../../id.ts";
import { ask, requestOf, stateOf } from "../../next/situation.sample.ts";
import { decisionPayload } from "../../show/decision.ts";
import { audit, auditStore } from "../audit.ts";
import { Ledger } from "../ledger.ts";
import type { SimRequest } from "../request.ts";
import type { Decided, Step } from "../step.ts";
import { World } from "../world.ts";

const UNITS = { slots: 1, tokens: 0, wall_ms: 0 };

class Stage {
  readonly ledger: Ledger;
  #seq = 0;

  constructor(...facts: readonly GoalFact[]) {
    const world = new World({ seed: 1, agents: 2, hours: 1, todos: 0 }, () => ({ head: null, todos: new Map() }));
    this.ledger = new Ledger(world.terms, world.clock);
    this.ledger.apply({ events: this.events({ type: "goal.opened", data: { registry: "r" } }, ...facts), passed: 0 });
  }

  events(...facts: readonly GoalFact[]): readonly GoalEvent[] {
    return facts.map((fact) => {
      this.#seq += 1;
      return { goal_id: "g" as GoalId, generation: 1, seq: this.#seq, at: at(0), agent_id: agent("a1"), ...fact };
    });
  }

  /** The law that is broken, or null. */
  law(facts: readonly GoalFact[], step: Partial<Step> = {}): string | null {
    const { head } = this.ledger.fold;
    const events = this.events(...facts);
    const positions = [String(this.#seq - events.length), String(this.#seq)] as const;
    const plain = { put: [], removed: [], refused: null, replayed: false, failed: false, decided: null, turn_answer: null };
    const request: SimRequest = { kind: "plan", by: "person", does: "x", commands: [] };
    const time = { number: 8, passed: 0, wall: at(0), at: at(0) };
    return (
      audit({ ...time, request, before: head, events, head: null, positions, ...plain, ...step }, this.ledger)?.invariant ?? null
    );
  }
}

const added = (...todos: readonly ReturnType<typeof todo>[]): readonly GoalFact[] =>
  todos.map((each) => ({ type: "todo.added", data: { todo: each, source: "command" } }));
const closed = (name: string, outcome: "done" | "rejected" = "done", kind: "none" | "open" = "none"): GoalFact => {
  const next = kind === "none" ? ({ kind, reason: "so" } as const) : ({ kind } as const);
  return { type: "todo.closed", data: { todo_id: id(name), outcome, next, fields: { status: "done" }, source: "command" } };
};
const written = (name: string): GoalFact => ({
  type: "turn.written",
  data: { turn_id: turn(name), todo_id: null, outcome: "progress", summary: "s", observation: "o", evidence: [] },
});
const spent = (name: string): GoalFact => ({
  type: "turn.spent",
  data: { turn_id: turn(name), todo_id: null, units: UNITS, source: "s" },
});
const hand = { agent: agent("a1"), turn: turn("t"), todo_id: id("one"), epoch: 1 };

describe("what is written", () => {
  it("I3 a bill without work, and a second one", () => {
    expect(new Stage().law([spent("t")])).toBe("I3");
    expect(new Stage(written("t"), spent("t")).law([spent("t")])).toBe("I3");
  });

  it("I4 work that is closed without a word of what comes next", () => {
    expect(new Stage(...added(todo("one"))).law([closed("one", "done", "open")])).toBe("I4");
  });

  it("once: what was closed before", () => {
    expect(new Stage(...added(todo("one")), closed("one")).law([closed("one")])).toBe("once");
  });

  it("I8 a no that leaves something, a write that is not there, and a goal that is older than what was acknowledged", () => {
    expect(new Stage().law([], { refused: "stale_epoch", positions: ["1", "2"] })).toBe("I8");
    expect(new Stage().law([written("t")], { positions: ["1", "1"] })).toBe("I8");
    expect(new Stage(written("t")).law([], { before: null, positions: ["1", "1"] })).toBe("I8");
  });

  it("I11 a head, or a todo, that is not what the journal says", () => {
    expect(new Stage().law([written("t")])).toBe("I11");
    const stage = new Stage(...added(todo("one")));
    const { head } = stage.ledger.fold;
    expect(auditStore({ head, todos: new Map() }, stage.ledger)?.invariant).toBe("I11");
    expect(auditStore({ head, todos: stage.ledger.fold.todos }, stage.ledger)).toBeNull();
  });

  it("G6 work under way that is refused because the goal is stopped", () => {
    const quiet = { refused: "goal_stopped", positions: ["1", "1"] as const };
    expect(new Stage().law([], { ...quiet, request: { kind: "renew", ...hand } })).toBe("G6");
    expect(new Stage().law([], { ...quiet, request: { kind: "hand_over", to: agent("a2"), ...hand } })).toBeNull();
  });
});

describe("what is answered", () => {
  const quiet = {
    positions: ["1", "1"] as const,
    request: { kind: "next", agent: agent("a1"), instance: "x", capabilities: [] } as SimRequest,
  };
  const one = todo("one");

  function decided(asked: Parameters<typeof ask>[0], other: Partial<Decided["decision"]> = {}): Decided {
    const decision = { ...ask(asked), ...other };
    const payload = decisionPayload(decision, { goal_id: "g", agent_id: "a1" });
    return { state: stateOf(asked), request: requestOf(asked), now: at(0), decision, payload };
  }

  it("order: another than the first, and starvation: nothing where there is something", () => {
    const stage = (): Stage => new Stage(...added(one, todo("two", { priority: 0 })));
    expect(stage().law([], { ...quiet, decided: decided({ todos: [one] }) })).toBe("order");
    expect(stage().law([], { ...quiet, number: 1, decided: decided({ todos: [] }) })).toBe("starvation");
    expect(new Stage(...added(one)).law([], { ...quiet, decided: decided({ todos: [one] }) })).toBeNull();
  });

  it("starvation: what comes first again and again and is not taken", () => {
    const stage = new Stage(...added(one));
    const laws = Array.from({ length: 202 }, () => stage.law([], { ...quiet, number: 1, decided: decided({ todos: [one] }) }));
    expect(laws.indexOf("starvation")).toBe(200);
  });

  it("I7 an answer that is not given again, and a rule without a word", () => {
    const ofOther = decided({ todos: [one, gate("ask", { blocks_agent: "b2" })] });
    expect(new Stage(...added(one)).law([], { ...quiet, decided: ofOther })).toBeNull();
    expect(
      new Stage(...added(one)).law([], { ...quiet, decided: { ...ofOther, decision: { ...ofOther.decision, token: "x" } } }),
    ).toBe("I7");
    expect(new Stage(...added(one)).law([], { ...quiet, decided: decided({ todos: [one] }, { because: "" }) })).toBe("rule");
  });

  it("I9 an answer that is too long", () => {
    const long = decided({ todos: [one] });
    const payload = { ...long.payload, because: "x".repeat(2100) };
    expect(new Stage(...added(one)).law([], { ...quiet, decided: { ...long, payload } })).toBe("I9");
  });

  it("I10 a turn that is answered otherwise", () => {
    const stage = new Stage();
    const opening = { ...quiet, request: { ...quiet.request, kind: "open_turn", turn: turn("t") } as SimRequest };
    expect(stage.law([], { ...opening, turn_answer: "a" })).toBeNull();
    expect(stage.law([], { ...opening, turn_answer: "a" })).toBeNull();
    expect(stage.law([], { ...opening, turn_answer: "b" })).toBe("I10");
  });

  it("dead_end: the same no again and again", () => {
    const stage = new Stage();
    const refused = {
      refused: "todo_claimed",
      positions: ["1", "1"] as const,
      request: { kind: "renew", ...hand } as SimRequest,
    };
    const laws = Array.from({ length: 41 }, () => stage.law([], refused));
    expect(laws.indexOf("dead_end")).toBe(40);
  });
});
