import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { claimantOf, type Fence, fenceFlaw, leaseOf } from "./fence.ts";
import { agent, at, closing, fence, id, SampleGoal, todo, turn } from "./goal.sample.ts";

function flawOf(goal: SampleGoal, by: Partial<Fence>): string | null {
  return fenceFlaw(goal.head, goal.todo("one"), { fence: fence(by), now: goal.now })?.code ?? null;
}

function held(metadata: TodoRecord["metadata"] = {}): SampleGoal {
  const goal = new SampleGoal(todo("one", { metadata }));
  goal.take("one", "a1");
  return goal;
}

describe("a write about a leased todo", () => {
  it("K1 passes with the newest number, and with no other", () => {
    const goal = held();
    expect(flawOf(goal, { agent_id: agent("a1"), epoch: 1 })).toBeNull();
    expect(flawOf(goal, { epoch: 1 })).toBeNull();
    expect(flawOf(goal, { agent_id: agent("a1"), epoch: 0 })).toBe("stale_epoch");
    expect(flawOf(goal, { agent_id: agent("a1"), epoch: 2 })).toBe("stale_epoch");
    expect(flawOf(goal, { agent_id: agent("b2"), epoch: 1 })).toBe("stale_epoch");
  });

  it("K1 is told who owns the todo now", () => {
    const goal = held();
    goal.now = at(200);
    goal.take("one", "b2");
    const late = goal.refusal(closing("one", { agent_id: agent("a1"), epoch: 1 }));
    expect(late).toMatchObject({
      code: "stale_epoch",
      details: { holder: "b2", lease_epoch: 1, current_epoch: 2, expires_at: at(300) },
      fix: "loopx next",
    });
  });

  it("K1 is late also when the lease ended and nobody took another one", () => {
    const goal = held();
    goal.give({ kind: "free-lease", todo_id: id("one"), reason: "released", fence: fence({ epoch: 1 }) });
    expect(flawOf(goal, { agent_id: agent("a1"), epoch: 1 })).toBe("stale_epoch");
  });

  it("K2 passes without a number from the owner, and from nobody else", () => {
    const goal = held();
    expect(flawOf(goal, { agent_id: agent("a1") })).toBeNull();
    expect(flawOf(goal, { agent_id: agent("b2") })).toBe("todo_lease_conflict");
    expect(flawOf(goal, {})).toBe("todo_lease_conflict");
  });

  it("K2 passes without a number in the turn of the lease, and in no other", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1", { turn_id: turn("t-1") });
    expect(flawOf(goal, { agent_id: agent("a1"), turn_id: turn("t-1") })).toBeNull();
    expect(flawOf(goal, { agent_id: agent("a1"), turn_id: turn("t-2") })).toBe("lease_fence_required");
    expect(flawOf(goal, { agent_id: agent("a1") })).toBe("lease_fence_required");
  });

  it("K2 passes when nobody holds it; a claim keeps other agents away, and no person", () => {
    const goal = new SampleGoal(todo("one", { metadata: { claimed_by: "A1" } }));
    expect(flawOf(goal, { agent_id: agent("a1") })).toBeNull();
    expect(flawOf(goal, {})).toBeNull();
    expect(flawOf(goal, { agent_id: agent("b2") })).toBe("todo_claimed");
  });

  it("K2 is proven by key and version together, the reference's way", () => {
    const goal = new SampleGoal(todo("one"));
    goal.take("one", "a1", { key: "k" });
    expect(flawOf(goal, { key: "k", version: 1 })).toBeNull();
    expect(flawOf(goal, { key: "k" })).toBe("lease_fence_required");
    expect(flawOf(goal, { version: 1 })).toBe("lease_fence_required");
    expect(flawOf(goal, { key: "other", version: 1 })).toBe("lease_cas_mismatch");
    expect(flawOf(goal, { key: "k", version: 2 })).toBe("version_mismatch");
  });

  it("K3 passes with the number of a lease that ran out and that nobody took over", () => {
    const goal = held();
    goal.now = at(200);
    expect(flawOf(goal, { agent_id: agent("a1"), epoch: 1 })).toBeNull();
    expect(flawOf(goal, { agent_id: agent("a1") })).toBeNull();
  });

  it("K4 passes for anybody once the lease ran out: its claim was only its rendering", () => {
    const goal = held();
    goal.now = at(200);
    expect(flawOf(goal, { agent_id: agent("b2") })).toBeNull();
  });
});

describe("who claimed a todo besides its lease", () => {
  const claimant = (goal: SampleGoal): string | null => claimantOf(goal.todo("one"), leaseOf(goal.head, "todo_one"));

  it("K4 is nobody where the claim came with the lease", () => expect(claimant(held())).toBeNull());

  it("K4 is who a person had written before, however it is spelled", () => {
    const goal = held({ claimed_by: "A1" });
    expect(goal.todo("one").metadata["claimed_by"]).toBe("a1");
    expect(claimant(goal)).toBe("a1");
    goal.now = at(200);
    expect(flawOf(goal, { agent_id: agent("b2") })).toBe("todo_claimed");
    expect(goal.take("one", "a1", { turn_id: turn("again") })).toBe("accepted");
  });

  it("K4 is whom a person wrote meanwhile, or nobody where they erased it", () => {
    const goal = held();
    goal.edit("one", { metadata: { claimed_by: "b2" } });
    expect(claimant(goal)).toBe("b2");
    goal.edit("one", { metadata: {} });
    expect(claimant(goal)).toBeNull();
  });
});
