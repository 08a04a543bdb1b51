/** What is offered can be taken: the decision and the claim agree with what the journal accepts. */
import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { agent, at, gate, todo } from "../goal/goal.sample.ts";
import { parseTurnId, type TurnId } from "../id.ts";
import type { DeclaredGoal } from "../registry/registry.ts";
import { type ClaimAsked, judgeClaim } from "./claim.ts";
import { type Asked, ask, askWhyNot, leaseOn, QUOTA, requestOf, stateOf } from "./situation.sample.ts";

const writes = (name: string, scope: string, fields: Partial<TodoRecord> = {}): TodoRecord =>
  todo(name, { metadata: { required_write_scopes: scope }, ...fields });
const held = writes("held", "src/**");
const near = writes("near", "src/a.ts");

const FULL: NonNullable<Asked["state"]> = {
  quota: { kind: "set", state: { ...QUOTA, spent: 10, short: "slots", next_eligible_at: at(600) }, is_zero: false },
};
const QUOTA_SET = {
  goal_id: "g",
  quota: {
    kind: "set",
    settings: { allowed_slots: 10, window_hours: 1, tokens: null, wall_minutes: null, limits: { max_running_tasks: 0 } },
  },
} as unknown as DeclaredGoal;

function claimed(asked: Asked, named: TodoRecord | null = null): ReturnType<typeof judgeClaim> {
  const lease = { owner: agent("a1"), turn_id: parseTurnId("t") as TurnId, ttl_ms: 1000 };
  const question: ClaimAsked = { request: requestOf(asked), named, lease, write_scopes: [], quota: QUOTA_SET };
  return judgeClaim(stateOf(asked), question, asked.now ?? at(0));
}

describe("files that a live lease writes to", () => {
  it("S3 are not offered to another execution of the agent that holds it", () => {
    const leases = leaseOn(held, "a1", 100, { instance: "x", write_scopes: ["src/**"] });
    const asked = { todos: [near, held], head: { leases }, request: { instance: "y" } };
    expect(ask(asked).why).not.toBe("work");
    expect(askWhyNot(asked)).toMatchObject({ code: "write_scope", by: "a1" });
  });

  it("S3 are not offered for other work of the agent while its own cannot go on", () => {
    const leases = leaseOn(held, "a1", 100, { write_scopes: ["src/**"] });
    const waiting = { ...held, metadata: { ...held.metadata, depends_on: "todo_need" } };
    expect(ask({ todos: [near, waiting, todo("need", { status: "blocked" })], head: { leases } }).why).not.toBe("work");
  });

  it("S3 keep an agent from going on with what it let run out", () => {
    const leases = { ...leaseOn(held, "a1", -5), ...leaseOn(near, "b2", 100, { write_scopes: ["src/a.ts"] }) };
    const free = todo("free", { priority: 4 });
    expect(ask({ todos: [held, near, free], head: { leases } })).toMatchObject({ why: "work", todo: { todo_id: "todo_free" } });
  });
});

describe("a quota that is used up", () => {
  const stuck = todo("stuck");
  const monitor = todo("watch", { task_class: "continuous_monitor", priority: 1, metadata: { next_due_at: at(0) } });
  const leases = leaseOn(stuck, "a1");

  it("L1 lets nobody take up more who holds what cannot go on", () => {
    const asked = { todos: [stuck, monitor, gate("ask", { unblocks_todo_id: "todo_stuck" })], head: { leases }, state: FULL };
    expect(ask(asked)).toMatchObject({ act: "wait", why: "throttled" });
    expect(claimed(asked)).toMatchObject({ todo: null });
  });

  it("C3 gives no second todo to who goes on with a first and names another", () => {
    const asked = { todos: [stuck, near], head: { leases }, state: FULL };
    expect(ask(asked).why).toBe("continue");
    expect(claimed(asked, near)).toMatchObject({ kind: "refusal", code: "over_quota", details: { next_eligible_at: at(600) } });
    expect(claimed(asked, stuck)).toMatchObject({ kind: "judged", commands: [{ kind: "clamp-leases" }] });
  });
});

describe("who gets nothing", () => {
  it("C6 meets the leases of others", () => {
    const asked = { todos: [held], head: { leases: leaseOn(held, "b2", 9000) } };
    expect(claimed(asked)).toMatchObject({ decision: { why: "peers_own" }, todo: null, commands: [{ kind: "clamp-leases" }] });
  });

  it("C6 also where the goal is paused or stopped, and not where it lies in an archive", () => {
    const clamp = { commands: [{ kind: "clamp-leases" }] };
    expect(claimed({ goal: { activation: "stopped" } })).toMatchObject(clamp);
    expect(claimed({ goal: { activation: "archived" } })).toMatchObject({ commands: [] });
    expect(claimed({ state: { head: null } })).toMatchObject({ commands: [] });
  });
});

describe("a question to others", () => {
  it("I5 does not keep the goal from being complete for who it is not about", () => {
    const todos = [todo("shut", { status: "done" }), gate("ask", { blocks_agent: "b2" })];
    expect(ask({ todos })).toMatchObject({ act: "stop", why: "complete" });
    expect(ask({ todos, by: "b2" })).toMatchObject({ act: "ask", why: "gate" });
  });
});

describe("closed work without a word of what comes next", () => {
  const shut = todo("shut", { status: "done", gap: true, metadata: { claimed_by: "b2" } });

  it("is asked of its owner alone", () => {
    expect(ask({ todos: [shut] }).why).not.toBe("gap");
    expect(ask({ todos: [shut], by: "b2" })).toMatchObject({ act: "replan", why: "gap" });
    expect(ask({ todos: [{ ...shut, metadata: {} }] })).toMatchObject({ act: "replan", why: "gap" });
  });
});
