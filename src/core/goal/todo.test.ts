import { describe, expect, it } from "vitest";
import type { TodoFields } from "../events.ts";
import { agent, at, closing, fence, gate, id, SampleGoal, todo } from "./goal.sample.ts";

const change = (goal: SampleGoal, name: string, fields: TodoFields, by = {}): string =>
  goal.give({ kind: "change-todo", todo_id: id(name), fields, fence: fence(by) });

describe("closing a todo", () => {
  it("O1 says what comes next, or why nothing does, for every way of closing work", () => {
    for (const outcome of ["done", "superseded", "rejected"] as const) {
      const goal = new SampleGoal(todo("one"), todo("watch", { task_class: "continuous_monitor" }));
      expect(goal.close("one", {}, { outcome, next: { kind: "open" } })).toBe("continuation_required");
      expect(goal.close("watch", {}, { outcome, next: { kind: "open" } })).toBe("accepted");
      expect(goal.close("one", {}, { outcome })).toBe("accepted");
      expect(goal.todo("one").status).toBe("done");
    }
  });

  it("O2 ends its lease in the same write, and leaves who did it", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    const { length } = goal.draft.events;
    goal.close("one", { agent_id: agent("a1"), epoch: 1 });
    expect(goal.since(length)).toEqual(["lease.freed", "todo.closed"]);
    expect(goal.head.leases).toEqual({});
    expect(goal.todo("one").metadata["claimed_by"]).toBe("a1");
  });

  it("O4 again in the same words has no events, in other words is refused", () => {
    const goal = new SampleGoal(todo("one"));
    goal.close("one", {}, { outcome: "superseded" });
    const { length } = goal.draft.events;
    expect(goal.close("one", {}, { outcome: "superseded" })).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
    expect(goal.refusal(closing("one", {}))).toMatchObject({ code: "todo_closed", details: { outcome: "superseded" } });
  });

  it("O4 a todo that a person ticked off while it was leased is closed already", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    goal.edit("one", { status: "done" });
    expect(goal.head.leases).toEqual({});
    const { length } = goal.draft.events;
    expect(goal.close("one", { agent_id: agent("a1"), epoch: 1 })).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
  });

  it("O5 comes too late with an old number, also when another has closed it by now", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    goal.now = at(200);
    goal.take("one", "b2");
    expect(goal.close("one", { agent_id: agent("a1"), epoch: 1 })).toBe("stale_epoch");
    expect(goal.close("one", { agent_id: agent("b2"), epoch: 2 })).toBe("accepted");
    expect(goal.close("one", { agent_id: agent("a1"), epoch: 1 })).toBe("stale_epoch");
    expect(goal.close("one", { agent_id: agent("b2"), epoch: 2 })).toBe("accepted");
  });

  it("is for a person where the todo is a question", () => {
    const goal = new SampleGoal(gate("ask"));
    expect(goal.refusal(closing("ask", {}))).toMatchObject({ code: "gate_needs_decision", fix: "loopx gate approve todo_ask" });
    expect(goal.close("ask", {}, { outcome: "superseded" })).toBe("accepted");
  });

  it("is refused for one that is not there", () => expect(new SampleGoal().close("none", {})).toBe("unknown_todo"));
});

describe("changing a todo", () => {
  it("O5 is for who holds it", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    expect(change(goal, "one", { text: "x" }, { agent_id: agent("b2") })).toBe("todo_lease_conflict");
    expect(change(goal, "one", { text: "x" }, { agent_id: agent("a1") })).toBe("accepted");
    expect(goal.todo("one").text).toBe("x");
  });

  it("records what moved alone, and nothing when nothing did", () => {
    const goal = new SampleGoal(todo("one"));
    change(goal, "one", { text: "x", status: "open" });
    expect(goal.draft.events.at(-1)?.data).toMatchObject({ fields: { text: "x" } });
    const { length } = goal.draft.events;
    expect(change(goal, "one", { text: "x" })).toBe("accepted");
    expect(goal.since(length)).toEqual([]);
  });

  it.each(["blocked", "deferred"] as const)("ends the lease of work that is %s, with its claim", (status) => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    change(goal, "one", { status, metadata: { ...goal.todo("one").metadata, reason: "no time" } }, { epoch: 1 });
    expect([goal.head.leases, goal.todo("one").metadata]).toEqual([{}, { reason: "no time" }]);
  });

  it("is not the way to close one", () =>
    expect(() => change(new SampleGoal(todo("one")), "one", { status: "done" })).toThrow(Error));

  it("is refused for one that is not there", () => expect(change(new SampleGoal(), "none", {})).toBe("unknown_todo"));
});

describe("dependencies", () => {
  const needing = (...names: readonly string[]): TodoFields => ({ metadata: { depends_on: names.map(id).join(",") } });

  it("O3 have no circle: the path is shown", () => {
    const goal = new SampleGoal(todo("one"), todo("two", needing("one")), todo("three", needing("gone", "two")));
    const command = { kind: "change-todo", todo_id: id("one"), fields: needing("three"), fence: fence({}) } as const;
    expect(goal.refusal(command)).toMatchObject({
      code: "dependency_cycle",
      details: { path: ["todo_one", "todo_three", "todo_two", "todo_one"] },
    });
    expect(change(goal, "one", needing("gone"))).toBe("accepted");
  });

  it("O3 are not of a todo on itself, and not by a condition that names a todo", () => {
    const goal = new SampleGoal(todo("two", needing("one")));
    const adding = (fields: TodoFields): string => goal.give({ kind: "add-todo", todo: todo("one", fields) });
    expect(adding(needing("one"))).toBe("dependency_cycle");
    expect(adding({ metadata: { resume_when: "todo_done:todo_two" } })).toBe("dependency_cycle");
    expect(adding({})).toBe("accepted");
    expect(adding({})).toBe("todo_exists");
  });
});
