import { describe, expect, it } from "vitest";
import { toRunTime } from "../instant.ts";
import { at, id, SampleGoal, todo } from "./goal.sample.ts";

describe("what a closed todo tells", () => {
  const closed = (extra: Parameters<SampleGoal["close"]>[2]): Readonly<Record<string, string>> => {
    const goal = new SampleGoal(todo("one", { metadata: { own_key: "kept" } }));
    goal.now = at(5);
    goal.close("one", {}, extra);
    return goal.todo("one").metadata;
  };
  const completed_at = toRunTime(at(5));

  it("W1 is why nothing comes next", () =>
    expect(closed({})).toEqual({ own_key: "kept", no_followup: "true", reason: "that was all", completed_at }));

  it("W1 is what comes next", () =>
    expect(closed({ next: { kind: "successors", todo_ids: [id("two"), id("three")] } })).toEqual({
      own_key: "kept",
      successor_todo_ids: "todo_two,todo_three",
      completed_at,
    }));

  it("W1 is what stands in its place", () =>
    expect(closed({ outcome: "superseded", next: { kind: "successors", todo_ids: [id("two")] } })).toEqual({
      own_key: "kept",
      outcome: "superseded",
      superseded_by: "todo_two",
      completed_at,
    }));

  it("W1 stands beside what the closing itself changes", () =>
    expect(closed({ fields: { metadata: { evidence: "3" } } })).toMatchObject({ evidence: "3", no_followup: "true" }));

  it("W1 leaves no gap behind", () => {
    const goal = new SampleGoal(todo("one"));
    goal.close("one", {});
    expect(goal.todo("one")).not.toHaveProperty("gap");
  });
});

describe("what waits for work that is rejected", () => {
  it("W2 is blocked with that reason, and held by nobody", () => {
    const goal = new SampleGoal(
      todo("one"),
      todo("waits", { metadata: { depends_on: "todo_one" } }),
      todo("later", { status: "deferred", metadata: { resume_when: "todo_done:todo_one" } }),
      todo("blocked", { status: "blocked", metadata: { depends_on: "todo_one", reason: "old" } }),
      todo("closed", { status: "done", metadata: { depends_on: "todo_one" } }),
      todo("free"),
    );
    goal.take("waits", "a1");
    goal.close("one", {}, { outcome: "rejected" });
    const reason = "it needs todo_one, which was rejected";
    for (const name of ["waits", "later", "blocked"])
      expect(goal.todo(name)).toMatchObject({ status: "blocked", metadata: { reason } });
    expect(goal.todo("closed").metadata).not.toHaveProperty("reason");
    expect(goal.todo("free").status).toBe("open");
    expect(goal.head.leases).toEqual({});
    expect(goal.todo("waits").metadata).not.toHaveProperty("claimed_by");
  });

  it("W2 goes on when it was only superseded", () => {
    const goal = new SampleGoal(todo("one"), todo("waits", { metadata: { depends_on: "todo_one" } }));
    goal.close("one", {}, { outcome: "superseded" });
    expect(goal.todo("waits")).toMatchObject({ status: "open" });
    expect(goal.todo("waits")).not.toHaveProperty("waits_for");
  });
});

describe("what a person puts off in the file", () => {
  it.each(["blocked", "deferred"] as const)("G12 is held by nobody once it is %s", (status) => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1");
    goal.edit("one", { status });
    expect([goal.head.leases, goal.todo("one").metadata]).toEqual([{}, {}]);
  });
});
