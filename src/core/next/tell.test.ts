import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { at, gate, todo } from "../goal/goal.sample.ts";
import { toRunTime } from "../instant.ts";
import type { Tell } from "./decision.ts";
import { type Asked, ask, QUOTA } from "./situation.sample.ts";

const work = todo("work");
const question = (metadata: TodoRecord["metadata"] = {}): TodoRecord =>
  gate("ask", { unblocks_todo_id: "todo_one", ...metadata });
const TODOS = [question(), todo("one"), work];

function told(asked: Asked): Tell {
  return ask(asked).tell ?? expect.fail("nothing was told");
}

describe("what the person hears", () => {
  it("T1 is told whatever the agent does", () => {
    const short = { kind: "set", state: { ...QUOTA, short: "slots" }, is_zero: false } as const;
    for (const asked of [{}, { state: { quota: short } }, { head: { waits: { a1: { until: at(60), reason: "limit" } } } }]) {
      const decision = ask({ todos: TODOS, ...asked });
      expect(["run", "wait"]).toContain(decision.act);
      expect(decision.tell).toMatchObject({ todo_ids: ["todo_ask"], text: "Do ask" });
    }
    expect(ask({ todos: TODOS, goal: { activation: "stopped" } }).tell).toBeNull();
  });

  it("T1 comes with the commands that answer it", () => {
    expect(told({ todos: TODOS }).commands).toEqual([
      "loopx gate approve todo_ask --goal-id g",
      "loopx gate reject todo_ask --goal-id g",
    ]);
    const action = todo("act", { role: "user", task_class: "user_action" });
    expect(told({ todos: [action, work] }).commands).toEqual(["loopx todo complete --todo-id todo_act --goal-id g"]);
  });

  it("T2 is silent for who has seen it, until something new is to be told", () => {
    const { token } = told({ todos: TODOS });
    const seen = { request: { seen: token } };
    expect(ask({ todos: TODOS, ...seen }).tell).toBeNull();
    expect(ask({ todos: TODOS, ...seen, now: at(86_400) }).tell).toBeNull();
    const more = told({ todos: [...TODOS, gate("more")], ...seen });
    expect(more).toMatchObject({ todo_ids: ["todo_ask", "todo_more"], text: "Do ask (and 1 more)" });
    expect(more.token).not.toBe(token);
  });

  it("T2 is told again when the next reminder comes", () => {
    const asked_at = toRunTime(at(0));
    const every = (metadata: TodoRecord["metadata"], seconds: number): string =>
      told({ todos: [question({ asked_at, ...metadata }), todo("one")], now: at(seconds) }).token;
    expect(every({}, 0)).toBe(every({}, 4 * 3600 - 1));
    expect(every({}, 0)).not.toBe(every({}, 4 * 3600));
    expect(every({ cadence: "1h" }, 0)).not.toBe(every({ cadence: "1h" }, 3600));
    expect(every({}, -50)).toBe(every({}, 0));
  });

  it("T3 is silent about what was deferred until its time", () => {
    const todos = [question({ remind_at: at(60) }), todo("one"), work];
    expect(ask({ todos }).tell).toBeNull();
    expect(told({ todos, now: at(60) }).todo_ids).toEqual(["todo_ask"]);
  });

  it("names five at most", () => {
    const gates = ["a", "b", "c", "d", "e", "f"].map((name) => gate(`${name}_ask`));
    expect(told({ todos: gates }).todo_ids).toHaveLength(5);
    expect(told({ todos: gates }).text).toBe("Do a_ask (and 5 more)");
  });

  it("is nothing that is about another agent", () => {
    const theirs = todo("one", { metadata: { claimed_by: "b2" } });
    expect(ask({ todos: [question(), theirs, work] }).tell).toBeNull();
    expect(ask({ todos: [gate("ask", { blocks_agent: "b2" }), work] }).tell).toBeNull();
  });
});
