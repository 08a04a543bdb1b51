import { describe, expect, it } from "vitest";
import type { GateOutcome } from "../events.ts";
import { toRunTime } from "../instant.ts";
import type { GateCommand } from "./gate.ts";
import { at, gate, id, SampleGoal, todo } from "./goal.sample.ts";

const answer = (name: string, outcome: GateOutcome, fields: Partial<GateCommand> = {}): GateCommand => ({
  kind: "decide-gate",
  todo_id: id(name),
  outcome,
  reason: "because",
  by: "person",
  until: null,
  ...fields,
});

describe("a gate", () => {
  it("A1 is answered once; a second answer is refused and shows the first", () => {
    const goal = new SampleGoal(gate("ask"));
    goal.now = at(5);
    expect(goal.give(answer("ask", "approve"))).toBe("accepted");
    expect(goal.todo("ask")).toMatchObject({
      status: "done",
      metadata: { decision_outcome: "approve", decided_by: "person", reason: "because", completed_at: toRunTime(at(5)) },
    });
    expect(goal.refusal(answer("ask", "reject"))).toMatchObject({
      code: "gate_decided",
      details: { decision: { outcome: "approve", at: toRunTime(at(5)), reason: "because" } },
    });
  });

  it("A1 is answered when a person ticked it off, or filed it away", () => {
    const goal = new SampleGoal(gate("ask"), gate("filed", {}, { archived: true }));
    goal.edit("ask", { status: "done" });
    expect(goal.refusal(answer("ask", "approve")).details).toMatchObject({ decision: { outcome: "done", at: null } });
    expect(goal.give(answer("filed", "approve"))).toBe("gate_decided");
  });

  it("A2 closes what it covers when it is rejected, leases and claims included, and blocks what waited for that", () => {
    const goal = new SampleGoal(
      gate("ask", { unblocks_todo_id: "todo_one,todo_hand,todo_done,todo_gone" }),
      todo("one"),
      todo("hand", { metadata: { claimed_by: "b2" } }),
      todo("done", { status: "done" }),
      todo("waits", { metadata: { depends_on: "todo_one" } }),
      todo("free"),
    );
    goal.take("one", "a1");
    goal.give(answer("ask", "reject"));
    for (const name of ["one", "hand"]) {
      expect(goal.todo(name)).toMatchObject({
        status: "done",
        metadata: { outcome: "rejected", no_followup: "true", reason: "gate todo_ask was rejected" },
      });
      expect(goal.todo(name).metadata).not.toHaveProperty("claimed_by");
    }
    expect(goal.todo("done").metadata).toEqual({});
    expect(goal.todo("waits")).toMatchObject({
      status: "blocked",
      metadata: { reason: "it needs todo_one, which was rejected" },
    });
    expect(goal.todo("free").status).toBe("open");
    expect(goal.head.leases).toEqual({});
  });

  it("A2 closes what needs its decision, and nothing that a user does", () => {
    const goal = new SampleGoal(
      gate("ask", { decision_scope: "direction:goal:x" }),
      todo("needs", { metadata: { required_decision_scopes: "direction:action:y" } }),
      todo("other", { metadata: { required_decision_scopes: "resource:action:y" } }),
      todo("person", { role: "user", metadata: { required_decision_scopes: "direction:action:y" } }),
    );
    goal.give(answer("ask", "reject"));
    expect(["needs", "other", "person"].map((name) => goal.todo(name).status)).toEqual(["done", "open", "open"]);
  });

  it("A2 leaves open what it covers where it says so", () => {
    for (const scope of [{ unblocks_todo_id: "todo_one" }, { blocks_agent: "a1" }, {}]) {
      const metadata = { ...scope, on_reject: "reopen" };
      const goal = new SampleGoal(gate("ask", metadata), todo("one", { metadata: { claimed_by: "a1" } }));
      goal.give(answer("ask", "reject"));
      expect(goal.todo("one").status).toBe("open");
      expect(goal.todo("one")).not.toHaveProperty("waits_for");
    }
  });

  const ofSeveral = (metadata: Record<string, string>): SampleGoal => {
    const goal = new SampleGoal(
      gate("ask", metadata),
      todo("held"),
      todo("ended"),
      todo("claimed", { metadata: { claimed_by: "a1" } }),
      todo("theirs", { metadata: { claimed_by: "b2" } }),
      todo("free"),
      todo("later", { status: "deferred" }),
      todo("stuck", { status: "blocked", metadata: { claimed_by: "a1", reason: "stuck" } }),
      todo("watch", { task_class: "continuous_monitor" }),
      todo("person", { role: "user" }),
    );
    goal.take("ended", "a1");
    goal.now = at(10_000);
    goal.take("held", "a1");
    goal.give(answer("ask", "reject"));
    return goal;
  };
  const those = (goal: SampleGoal, status: string): readonly string[] =>
    [...goal.draft.todos.values()].filter((each) => each.status === status).map(({ todo_id }) => todo_id.slice("todo_".length));

  it("A4 about agents blocks what they have in hand or claimed, and nobody else's work", () => {
    const goal = ofSeveral({ blocks_agent: "a1" });
    expect(those(goal, "blocked")).toEqual(["held", "claimed", "stuck"]);
    expect(goal.todo("claimed").metadata).toMatchObject({ claimed_by: "a1", reason: "gate todo_ask was rejected" });
    expect(goal.todo("stuck").metadata["reason"]).toBe("stuck");
    expect(Object.keys(goal.head.leases)).toEqual(["todo_ended"]);
  });

  it("A4 about the whole goal blocks its work, and no monitor", () => {
    const goal = ofSeveral({});
    expect(those(goal, "open")).toEqual(["watch", "person"]);
    expect(those(goal, "done")).toEqual(["ask"]);
    expect(goal.head.leases).toEqual({});
  });

  it("A4 closes that work where the gate says so", () => {
    expect(those(ofSeveral({ blocks_agent: "a1", on_reject: "close" }), "done")).toEqual(["ask", "held", "claimed", "stuck"]);
  });

  it("A3 deferred, changes only when it is asked again", () => {
    const goal = new SampleGoal(gate("ask", { unblocks_todo_id: "todo_one", remind_at: "old" }), todo("one"));
    goal.give(answer("ask", "defer", { until: at(3600), reason: "" }));
    expect(goal.todo("ask")).toMatchObject({
      status: "open",
      metadata: { unblocks_todo_id: "todo_one", remind_at: toRunTime(at(3600)) },
    });
    expect(goal.todo("one").waits_for).toEqual(["todo_ask"]);
    goal.now = at(60);
    goal.give(answer("ask", "defer"));
    const remind_at = toRunTime(at(60 + 4 * 3600));
    expect(goal.todo("ask").metadata).toEqual({ unblocks_todo_id: "todo_one", reason: "because", remind_at });
  });

  it.each([
    ["1h", 3600],
    ["2d", 2 * 86_400],
    ["now and then", 4 * 3600],
  ])("A3 deferred without a time, is asked again when its next reminder would come: %s", (cadence, seconds) => {
    const goal = new SampleGoal(gate("ask", { cadence }));
    goal.give(answer("ask", "defer"));
    expect(goal.todo("ask").metadata["remind_at"]).toBe(toRunTime(at(seconds)));
  });

  it.each<GateOutcome>(["approve", "reject", "defer"])("A5 keeps no reason of an answer before: %s", (outcome) => {
    const goal = new SampleGoal(gate("ask"));
    goal.give(answer("ask", "defer", { reason: "later" }));
    expect(goal.todo("ask").metadata).toMatchObject({ reason: "later" });
    goal.give(answer("ask", outcome, { reason: "" }));
    expect(goal.todo("ask").metadata).not.toHaveProperty("reason");
  });

  it("is nothing but a question to a person", () => {
    const goal = new SampleGoal(todo("one"));
    expect(goal.give(answer("one", "approve"))).toBe("not_a_gate");
    expect(goal.give(answer("none", "approve"))).toBe("unknown_todo");
  });
});
