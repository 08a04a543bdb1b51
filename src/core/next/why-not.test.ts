import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { agent, at, gate, todo } from "../goal/goal.sample.ts";
import { type Asked, askWhyNot, leaseOn, QUOTA } from "./situation.sample.ts";

const one = (metadata: TodoRecord["metadata"] = {}, fields: Partial<TodoRecord> = {}): TodoRecord =>
  todo("one", { metadata, ...fields });

const short = { ...QUOTA, short: "slots" as const, spent: 10, next_eligible_at: at(60) };
const scopes = leaseOn(todo("two"), "b2", 100, { write_scopes: ["src/**"] });

const MONITORS = { monitor_only: [agent("a1")] };

type Row = readonly [code: string, by: string | null, change: RegExp, asked: Asked];

/** In the order in which they are tested. */
const ROWS: readonly Row[] = [
  ["state_unreadable", null, /^loopx doctor$/, { todos: [one()], state: { problem: { code: "x", message: "torn" } } }],
  ["stopped", null, /^loopx goal resume --goal-id g$/, { todos: [one()], goal: { activation: "stopped" } }],
  ["archived", null, /^loopx restore --goal-id g$/, { todos: [one()], goal: { activation: "archived" } }],
  [
    "quota_invalid",
    null,
    /^loopx doctor$/,
    { todos: [one()], state: { quota: { kind: "invalid", problem: { code: "x", message: "m" } } } },
  ],
  [
    "paused",
    null,
    /^loopx quota set --goal-id g --compute 1$/,
    { todos: [one()], state: { quota: { kind: "set", state: QUOTA, is_zero: true } } },
  ],
  ["rate_limited", null, new RegExp(at(60)), { todos: [one()], head: { waits: { a1: { until: at(60), reason: "limit" } } } }],
  ["throttled", null, new RegExp(at(60)), { todos: [one()], state: { quota: { kind: "set", state: short, is_zero: false } } }],
  [
    "throttled",
    null,
    /^loopx quota set --goal-id g$/,
    { todos: [one()], state: { quota: { kind: "set", state: { ...short, next_eligible_at: null }, is_zero: false } } },
  ],
  ["not_open", null, /add/, { todos: [one({}, { status: "done" })] }],
  ["not_open", null, /reopen/, { todos: [one({}, { status: "blocked" })] }],
  ["not_open", null, /reopen/, { todos: [one({}, { archived: true })] }],
  ["for_person", null, /gate list/, { todos: [gate("one")] }],
  ["is_blocker", null, /complete/, { todos: [one({}, { task_class: "blocker" })] }],
  ["agent_excluded", null, /another agent/, { todos: [one({ excluded_agents: "a1" })] }],
  [
    "monitor_only",
    null,
    /^loopx configure-goal --goal-id g --agent-work-mode a1=active --execute$/,
    { todos: [one()], goal: MONITORS },
  ],
  ["leased", "b2", /ends/, { todos: [one()], head: { leases: leaseOn(one(), "b2") } }],
  ["claimed", "b2", /clear-claim/, { todos: [one({ claimed_by: "B2" })] }],
  ["waits_for", "todo_two", /todo_two/, { todos: [one({ depends_on: "todo_two" }), todo("two")] }],
  ["gate", "todo_ask", /approve todo_ask/, { todos: [one(), gate("ask", { unblocks_todo_id: "todo_one" })] }],
  ["expired", null, /complete/, { todos: [one({ expires_at: at(0) }, { task_class: "continuous_monitor" })] }],
  ["not_yet", null, /time/, { todos: [one({ resume_when: at(1) })] }],
  ["not_yet", null, /time/, { todos: [one({ next_due_at: at(1) }, { task_class: "continuous_monitor" })] }],
  ["condition", null, /poll/, { todos: [one({ resume_when: "pr_merged:#1" })] }],
  ["capacity", null, /--available-capability gpu/, { todos: [one({ resume_when: "capacity_available:gpu" })] }],
  ["gate", "todo_ask", /approve todo_ask/, { todos: [one(), gate("ask")] }],
  ["gate", "todo_ask", /approve todo_ask/, { todos: [one(), gate("ask", { blocks_agent: "a1" })] }],
  ["capability", "gpu", /--available-capability gpu/, { todos: [one({ required_capabilities: "gpu" })] }],
  ["owner_capability", "credentials", /credentials/, { todos: [one({ required_capabilities: "credentials" })] }],
  ["write_scope", "b2", /ends/, { todos: [one({ required_write_scopes: "src/a.ts" }), todo("two")], head: { leases: scopes } }],
  ["stalled", null, /supersede/, { todos: [one({}, { stall: { observation: "o", failures: 2, quiet: 0 } })] }],
  ["scope", null, /write_scope/, { todos: [one({ required_write_scopes: "etc/**" })], goal: { write_scope: ["src/**"] } }],
  ["not_first", "todo_two", /claim/, { todos: [one(), todo("two", { priority: 0 })] }],
];

describe("why an agent cannot do a todo", () => {
  it.each(ROWS)("D1 %s by %s", (code, by, change, asked) => {
    const found = askWhyNot(asked);
    expect(found).toMatchObject({ code, by });
    expect(found?.message).not.toBe("");
    expect(found?.change).toMatch(change);
  });

  it("D1 names the first that fails", () => {
    const metadata = { claimed_by: "b2", depends_on: "todo_two", required_capabilities: "gpu" };
    expect(askWhyNot({ todos: [one(metadata), gate("ask")] })?.code).toBe("claimed");
    expect(askWhyNot({ todos: [one(metadata), gate("ask")], by: "b2" })?.code).toBe("waits_for");
  });

  it.each<Asked>([
    { todos: [one()] },
    { todos: [one({ claimed_by: "A1" }), todo("two")] },
    { todos: [one()], head: { leases: leaseOn(one(), "a1") } },
    { todos: [one({ claimed_by: "b2" })], head: { leases: leaseOn(one(), "b2", -1) } },
    { todos: [one({ resume_when: at(0) })] },
    { todos: [one({}, { task_class: "continuous_monitor" }), gate("ask")] },
    { todos: [one(), gate("ask", { blocks_agent: "b2" })] },
    { todos: [one({ claimed_by: "b2" })], by: null },
    { todos: [one({}, { task_class: "continuous_monitor" })], goal: MONITORS },
    { todos: [one()], goal: MONITORS, head: { leases: leaseOn(one(), "a1") } }, // (D3)
    { todos: [one()], goal: MONITORS, by: "b2" },
    { todos: [one()], goal: MONITORS, by: null },
  ])("is nothing for %#", (asked) => expect(askWhyNot(asked)).toBeNull());
});
