import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { at, gate, todo } from "../goal/goal.sample.ts";
import { concerningGates, coveringGate } from "./gates.ts";
import { type Asked, requestOf, stateOf } from "./situation.sample.ts";

const needing = todo("needs", { metadata: { required_decision_scopes: "direction:action:y" } });
const watch = todo("watch", { task_class: "continuous_monitor" });
const TODOS = [todo("one"), needing, watch];

function held(metadata: TodoRecord["metadata"], by: string | null = "a1"): readonly string[] {
  const asked: Asked = { todos: [gate("ask", metadata), ...TODOS], by };
  const asking = { state: stateOf(asked), request: requestOf(asked), now: at(0) };
  return TODOS.filter((each) => coveringGate(asking, each) !== null).map((each) => each.todo_id);
}

function concerns(metadata: TodoRecord["metadata"], by: string | null, ...todos: readonly TodoRecord[]): boolean {
  const asked: Asked = { todos: [gate("ask", metadata), ...todos], by };
  return concerningGates({ state: stateOf(asked), request: requestOf(asked), now: at(0) }).length > 0;
}

describe("an open gate", () => {
  it("G1 holds up the todos that it names", () => {
    expect(held({ unblocks_todo_id: "todo_one,todo_watch" })).toEqual(["todo_one", "todo_watch"]);
    expect(held({ unblocks_todo_id: "todo_gone" })).toEqual([]);
  });

  it("G1 holds up the work of the agents that it names", () => {
    const all = ["todo_one", "todo_needs", "todo_watch"];
    expect([held({ blocks_agent: "A1" }), held({ blocks_agent: "b2,a1" })]).toEqual([all, all]);
    expect([held({ blocks_agent: "b2" }), held({ blocks_agent: "a1" }, null)]).toEqual([[], []]);
  });

  it("G1 holds up what requires its decision", () =>
    expect(held({ decision_scope: "direction:goal:x" })).toEqual(["todo_needs"]));

  it("G1 G2 holds up the whole goal when it names nothing or says so, but no look at a monitor", () => {
    expect(held({})).toEqual(["todo_one", "todo_needs"]);
    expect(held({ decision_scope: "resource:lane:db", global_gate: "true" })).toEqual(["todo_one", "todo_needs"]);
  });

  it("concerns who it names, whose work it holds up, and everybody when it is about the goal", () => {
    expect([concerns({}, "a1"), concerns({}, null)]).toEqual([true, true]);
    expect([concerns({ blocks_agent: "b2" }, "a1"), concerns({ blocks_agent: "b2" }, "b2")]).toEqual([false, true]);
    expect(concerns({ blocks_agent: "b2" }, null)).toBe(true);
    const theirs = todo("one", { metadata: { claimed_by: "b2" } });
    expect(concerns({ unblocks_todo_id: "todo_one" }, "a1", theirs)).toBe(false);
    expect(concerns({ unblocks_todo_id: "todo_one" }, "b2", theirs)).toBe(true);
    expect(concerns({ decision_scope: "direction:goal:x" }, "a1", needing)).toBe(true);
  });
});
