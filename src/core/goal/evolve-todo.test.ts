import { describe, expect, it } from "vitest";
import type { TodoId } from "../id.ts";
import { agent, fence, gate, id, lineOf, SampleGoal, todo, turn } from "./goal.sample.ts";

const waitsOf = (goal: SampleGoal, name = "one"): readonly TodoId[] => goal.todo(name).waits_for ?? [];
const added = (goal: SampleGoal, record: ReturnType<typeof todo>): void =>
  goal.record({ type: "todo.added", data: { todo: record, source: "file" } });
const withdrawn = (goal: SampleGoal, name: string): void => goal.record({ type: "todo.withdrawn", data: { todo_id: id(name) } });

describe("what a todo waits for", () => {
  it("E1 is what it needs, in the order it is named, then the gates that name it", () => {
    const goal = new SampleGoal(
      gate("y_ask", { unblocks_todo_id: "todo_one" }),
      gate("x_ask", { unblocks_todo_id: "todo_one" }),
      todo("two"),
      todo("one", { metadata: { depends_on: "todo_two,todo_gone", resume_when: "todo_done:todo_end" } }),
    );
    expect(waitsOf(goal)).toEqual(["todo_two", "todo_gone", "todo_end", "todo_x_ask", "todo_y_ask"]);
  });

  it("E1 changes when one of those is done, opened again, withdrawn, or appears", () => {
    const goal = new SampleGoal(todo("two"), todo("one", { metadata: { depends_on: "todo_two" } }));
    goal.edit("two", { status: "done" });
    expect(goal.todo("one")).not.toHaveProperty("waits_for");
    goal.edit("two", { status: "open" });
    expect(waitsOf(goal)).toEqual(["todo_two"]);
    goal.edit("two", { status: "done" });
    withdrawn(goal, "two");
    expect(waitsOf(goal)).toEqual(["todo_two"]);
    added(goal, todo("two", { status: "done" }));
    expect(waitsOf(goal)).toEqual([]);
  });

  const asked = (): SampleGoal => {
    const goal = new SampleGoal(gate("ask", { unblocks_todo_id: "todo_one" }), todo("one"), todo("two"));
    added(goal, gate("late", { unblocks_todo_id: "todo_one" }));
    return goal;
  };

  it("E1 is a gate that comes before what it names, and one that comes later", () =>
    expect(waitsOf(asked())).toEqual(["todo_ask", "todo_late"]));

  it.each<[string, (goal: SampleGoal) => unknown]>([
    ["ticked off", (goal) => goal.edit("ask", { status: "done" })],
    ["filed away", (goal) => goal.edit("ask", { archived: true })],
    ["withdrawn", (goal) => withdrawn(goal, "ask")],
    ["no gate any more", (goal) => goal.edit("ask", { task_class: "user_action" })],
    ["about another todo", (goal) => goal.edit("ask", { metadata: { unblocks_todo_id: "todo_two" } })],
  ])("E1 is no gate that is %s", (_words, end) => {
    const goal = asked();
    end(goal);
    expect(waitsOf(goal)).toEqual(["todo_late"]);
  });

  it("E1 is a gate as soon as it names the todo", () => {
    const goal = asked();
    goal.edit("ask", { metadata: { unblocks_todo_id: "todo_two" } });
    expect(waitsOf(goal, "two")).toEqual(["todo_ask"]);
  });

  it("E1 keeps what it needs by name when that no longer covers it as a gate", () => {
    const goal = new SampleGoal(
      gate("ask", { unblocks_todo_id: "todo_one" }),
      todo("one", { metadata: { depends_on: "todo_ask" } }),
    );
    goal.edit("ask", { metadata: {} });
    expect(waitsOf(goal)).toEqual(["todo_ask"]);
    goal.edit("one", { metadata: {} });
    expect(waitsOf(goal)).toEqual([]);
  });
});

describe("a closed todo", () => {
  it("E2 has no lease, however it was closed or taken away", () => {
    const goal = new SampleGoal(todo("one"), todo("two"));
    goal.take("one", "a1");
    goal.take("two", "a1");
    goal.edit("one", { status: "done" });
    withdrawn(goal, "two");
    expect(goal.head.leases).toEqual({});
  });

  it("E3 is a gap while nothing was said of what comes next", () => {
    const goal = new SampleGoal(
      todo("one"),
      todo("watch", { task_class: "continuous_monitor" }),
      todo("old", { status: "done" }),
    );
    goal.edit("one", { status: "done" });
    goal.edit("watch", { status: "done" });
    goal.edit("old", { text: "Did it" });
    expect(["one", "watch", "old"].map((name) => goal.todo(name).gap)).toEqual([true, undefined, undefined]);
    goal.edit("one", { text: "Done it", archived: true });
    expect(goal.todo("one").gap).toBe(true);
    goal.edit("one", { metadata: { no_followup: "true" } });
    expect(goal.todo("one")).not.toHaveProperty("gap");
    goal.edit("one", { metadata: {} });
    expect(goal.todo("one")).not.toHaveProperty("gap");
  });

  it("E3 is no gap any more when it is opened again", () => {
    const goal = new SampleGoal(todo("one"));
    goal.edit("one", { status: "done" });
    goal.edit("one", { status: "open" });
    expect(goal.todo("one")).not.toHaveProperty("gap");
  });
});

describe("work that brought nothing new", () => {
  const stalled = (): SampleGoal => {
    const goal = new SampleGoal(todo("one"));
    const written = {
      turn_id: turn("t"),
      todo_id: id("one"),
      outcome: "failed",
      summary: "",
      observation: "o",
      evidence: [],
    } as const;
    goal.give({ kind: "write-turn", turn: written }, { agent: "a1" });
    return goal;
  };

  it("E4 was not tried yet once it reads otherwise, or is opened again", () => {
    const [reworded, reopened, moved] = [stalled(), stalled(), stalled()];
    reworded.edit("one", { text: "Do it otherwise" });
    reopened.edit("one", { status: "blocked" });
    expect(reopened.todo("one")).toHaveProperty("stall");
    reopened.edit("one", { status: "open" });
    moved.edit("one", { index: 7, metadata: { note: "x" } });
    expect([reworded, reopened, moved].map((goal) => "stall" in goal.todo("one"))).toEqual([false, false, true]);
  });
});

describe("the claim that comes with a lease", () => {
  const free = (goal: SampleGoal): string =>
    goal.give({ kind: "free-lease", todo_id: id("one"), reason: "released", fence: fence({ epoch: 1 }) });

  it("L2 leaves with it", () => {
    const goal = new SampleGoal(todo("one", { metadata: { note: "x" } }));
    goal.take("one", "a1");
    expect(goal.todo("one")).toMatchObject({ metadata: { claimed_by: "a1" }, lease_epoch: 1 });
    free(goal);
    expect(goal.todo("one").metadata).toEqual({ note: "x" });
  });

  it("L2 gives way to what a person had written before, as they wrote it", () => {
    const goal = new SampleGoal(todo("one", { metadata: { claimed_by: "A1" } }));
    goal.take("one", "a1");
    free(goal);
    expect(goal.todo("one").metadata).toEqual({ claimed_by: "A1" });
  });

  it("L2 is not taken from whom a person wrote meanwhile", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    goal.edit("one", { metadata: { claimed_by: "b2" } });
    free(goal);
    expect(goal.todo("one").metadata).toEqual({ claimed_by: "b2" });
  });

  it("L1 leaves its number with the todo", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    free(goal);
    expect([goal.todo("one").lease_epoch, goal.head.fence]).toEqual([1, 1]);
  });
});

describe("a todo that a person renamed", () => {
  it("goes on under its new name, without the lease of the old one", () => {
    const goal = new SampleGoal(todo("one"), todo("waits", { metadata: { depends_on: "todo_one" } }));
    goal.take("one", "a1");
    const line = lineOf({ ...goal.todo("one"), todo_id: id("other") });
    goal.give({
      kind: "accept-plan",
      changes: [{ kind: "todo_changed", todo_id: id("one"), todo: line, fields: ["todo_id"] }],
      base: new Map(),
    });
    expect(goal.todo("other")).toMatchObject({ text: "Do one", status: "open" });
    expect(goal.head.leases).toEqual({});
    expect(waitsOf(goal, "waits")).toEqual(["todo_one"]);
    expect(goal.close("one", { agent_id: agent("a1"), epoch: 1 })).toBe("unknown_todo");
  });
});
