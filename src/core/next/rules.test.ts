/** One test a row of the decision (decision-plane 13.4): when it answers, and the neighbour that answers when it does not. */
import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { agent, at, gate, todo } from "../goal/goal.sample.ts";
import { RULES } from "./rules.ts";
import { type Asked, ask, leaseOn, QUOTA } from "./situation.sample.ts";

const work = todo("work");
const monitor = todo("watch", { task_class: "continuous_monitor", priority: 1, metadata: { next_due_at: at(0) } });
const action = todo("act", { role: "user", task_class: "user_action" });
const quota = (fields: Partial<typeof QUOTA>): NonNullable<Asked["state"]> => ({
  quota: { kind: "set", state: { ...QUOTA, ...fields }, is_zero: false },
});
const stalled = (name: string, fields: Partial<TodoRecord> = {}): TodoRecord =>
  todo(name, { stall: { observation: "o", failures: 2, quiet: 0 }, ...fields });
const other = (fields: Partial<TodoRecord> = {}): TodoRecord => todo("other", fields);

type Row = readonly [why: string, act: string, about: string | null, asked: Asked];

const ROWS: readonly Row[] = [
  ["state_unreadable", "repair", null, { todos: [work], state: { problem: { code: "x", message: "line 3 is torn" } } }],
  [
    "state_unreadable",
    "repair",
    null,
    { todos: [todo("one", { metadata: { required_write_scopes: "src/**" } }), monitor], state: { head: null } },
  ],
  ["stopped", "stop", null, { todos: [work], goal: { activation: "stopped", activation_reason: "no money" } }],
  ["archived", "stop", null, { todos: [work], goal: { activation: "archived" } }],
  [
    "quota_invalid",
    "repair",
    null,
    { todos: [work], state: { quota: { kind: "invalid", problem: { code: "x", message: "m" } } } },
  ],
  ["paused", "stop", null, { todos: [work], state: { quota: { kind: "set", state: QUOTA, is_zero: true } } }],
  ["rate_limited", "wait", null, { todos: [work], head: { waits: { a1: { until: at(60), reason: "limit" } } } }],
  ["throttled", "wait", null, { todos: [work], state: quota({ spent: 10, short: "slots", next_eligible_at: at(600) }) }],
  ["stalled", "replan", "todo_one", { todos: [stalled("one"), work], head: { leases: leaseOn(todo("one"), "a1") } }],
  ["continue", "run", "todo_one", { todos: [todo("one"), work, monitor], head: { leases: leaseOn(todo("one"), "a1") } }],
  ["continue", "run", "todo_one", { todos: [todo("one"), work], head: { leases: leaseOn(todo("one"), "a1", -5) } }],
  ["monitor_due", "poll", "todo_watch", { todos: [work, monitor] }],
  [
    "monitor_due",
    "poll",
    "todo_watch",
    { todos: [todo("one", { priority: 0 }), monitor], goal: { monitor_only: [agent("a1")] } },
  ],
  ["monitor_only", "wait", null, { todos: [stalled("one"), work], goal: { monitor_only: [agent("a1")] } }],
  ["stalled", "replan", "todo_one", { todos: [stalled("one", { priority: 0 }), work] }],
  [
    "scope",
    "repair",
    "todo_far",
    { todos: [todo("far", { metadata: { required_write_scopes: "etc/**" } })], goal: { write_scope: ["src/**"] } },
  ],
  ["work", "run", "todo_work", { todos: [work, todo("shut", { status: "done" })] }],
  ["gap", "replan", "todo_shut", { todos: [todo("shut", { status: "done", gap: true }), monitor], now: at(-60) }],
  ["woke", "run", "todo_late", { todos: [todo("late", { status: "deferred", metadata: { resume_when: at(0) } })] }],
  [
    "capability",
    "repair",
    "todo_gpu",
    { todos: [todo("gpu", { metadata: { required_capabilities: "gpu" } }), gate("ask", { blocks_agent: "b2" })] },
  ],
  ["gate", "ask", "todo_ask", { todos: [work, gate("ask")] }],
  [
    "owner_capability",
    "ask",
    "todo_key",
    { todos: [todo("key", { metadata: { required_capabilities: "credentials" } }), action] },
  ],
  ["user_action", "ask", "todo_act", { todos: [action, other({ metadata: { claimed_by: "b2" } })] }],
  [
    "peers_own",
    "wait",
    null,
    { todos: [other({ metadata: { claimed_by: "b2" } }), todo("late", { metadata: { resume_when: "pr_merged:#1" } })] },
  ],
  ["waiting_on", "wait", null, { todos: [todo("late", { metadata: { resume_when: "pr_merged:#1" } })] }],
  ["waiting_on", "wait", null, { todos: [todo("stuck", { status: "blocked", metadata: { reason: "no disk" } })] }],
  ["next_due", "wait", null, { todos: [todo("watch", { task_class: "continuous_monitor", metadata: { next_due_at: at(60) } })] }],
  ["complete", "stop", null, { todos: [todo("shut", { status: "done" })] }],
  ["empty", "replan", null, {}],
  ["empty", "replan", null, { todos: [todo("name", { task_class: "blocker" })] }],
];

describe("the decision", () => {
  it.each(ROWS)("%s: %s %s", (why, act, about, asked) => {
    const decision = ask(asked);
    expect([decision.why, decision.act, decision.todo?.todo_id ?? null]).toEqual([why, act, about]);
    expect(decision.because).not.toBe("");
  });

  it("X2 tries the rules in the order of the table, and the last one always answers", () =>
    expect(RULES.map((rule) => rule.name)).toEqual([
      "stateUnreadable",
      "atRest",
      "quotaInvalid",
      "paused",
      "rateLimited",
      "throttled",
      "stalledLease",
      "continueLease",
      "monitorDue",
      "monitorOnly",
      "stalledWork",
      "outsideScope",
      "bestWork",
      "gap",
      "woke",
      "capability",
      "heldByPerson",
      "userAction",
      "peersOwn",
      "waitingOn",
      "nextDue",
      "complete",
      "empty",
    ]));
});

describe("whose work it is", () => {
  it("is the first that can be done, of the same priority one's own first", () => {
    const mine = todo("mine", { index: 9, metadata: { claimed_by: "A1" } });
    expect(ask({ todos: [work, mine] }).todo?.todo_id).toBe("todo_mine");
    expect(ask({ todos: [todo("work", { priority: 0 }), mine] }).todo?.todo_id).toBe("todo_work");
    expect(ask({ todos: [work, mine], by: null }).todo?.todo_id).toBe("todo_work");
  });

  it("passes over what others hold, what the agent is excluded from, and what waits", () => {
    const todos = [
      todo("a_held", { metadata: { claimed_by: "b2" } }),
      todo("b_excluded", { metadata: { excluded_agents: "a1" } }),
      todo("c_waits", { metadata: { depends_on: "todo_work" } }),
      todo("d_later", { metadata: { resume_when: at(5) } }),
      work,
    ];
    expect(ask({ todos }).todo?.todo_id).toBe("todo_work");
    expect(ask({ todos, now: at(5) }).todo?.todo_id).toBe("todo_d_later");
  });

  it("is anybody's again when a lease ran out, and its owner's as long as nobody took it", () => {
    const held = todo("held", { metadata: { claimed_by: "b2" } });
    const live = { todos: [held], head: { leases: leaseOn(held, "b2", 10) } };
    expect(ask(live).why).toBe("peers_own");
    expect(ask({ ...live, now: at(10) })).toMatchObject({ why: "work", todo: { todo_id: "todo_held" } });
    expect(ask({ ...live, by: "b2", now: at(10) }).why).toBe("continue");
  });

  it("is not another's whose lease ran out and who had claimed it by hand", () => {
    const held = todo("held", { metadata: { claimed_by: "b2" } });
    const leases = leaseOn(held, "b2", 10, { claimed_before: "B2" });
    expect(ask({ todos: [held], head: { leases }, now: at(20) }).why).toBe("peers_own");
  });

  it("is another's whose lease writes to the same files, until it ends", () => {
    const one = todo("one", { metadata: { required_write_scopes: "src/a.ts" } });
    const two = todo("two", { metadata: { claimed_by: "b2" } });
    const head = { leases: leaseOn(two, "b2", 10, { write_scopes: ["src/**"] }) };
    expect(ask({ todos: [one, two], head }).act).toBe("wait");
    expect(ask({ todos: [one, two], head, now: at(10) }).why).toBe("work");
  });

  it("is not what another instance of the agent holds", () => {
    const head = { leases: leaseOn(work, "a1", 10, { instance: "i" }) };
    expect(ask({ todos: [work], head, request: { instance: "j" } }).why).toBe("peers_own");
    expect(ask({ todos: [work], head, request: { instance: "i" } }).why).toBe("continue");
    expect(ask({ todos: [work], head }).why).toBe("continue");
  });

  it("goes on no longer when it was put off, waits, or a gate came", () => {
    const head = { leases: leaseOn(todo("one"), "a1") };
    const waiting = todo("one", { metadata: { depends_on: "todo_work" } });
    expect(ask({ todos: [todo("one", { status: "blocked" }), work], head }).why).toBe("work");
    expect(ask({ todos: [waiting, work], head })).toMatchObject({ why: "work", todo: { todo_id: "todo_work" } });
    expect(ask({ todos: [todo("one"), gate("ask", { unblocks_todo_id: "todo_one" })], head }).why).toBe("gate");
  });

  it("may need what the agent can do, what every agent can, or what it brings about itself", () => {
    const needing = (required_capabilities: string, target_capabilities = ""): readonly TodoRecord[] => [
      todo("one", { metadata: { required_capabilities, target_capabilities } }),
    ];
    expect(ask({ todos: needing("shell,filesystem-write") }).why).toBe("work");
    expect(ask({ todos: needing("gpu-x"), request: { capabilities: ["GPU_X"] } }).why).toBe("work");
    expect(ask({ todos: needing("gpu", "gpu") }).why).toBe("work");
  });
});

describe("the rows and their neighbours", () => {
  it("row 6 lets go on who holds a lease already: its part is set aside", () => {
    const state = quota({ short: "slots", spent: 10 });
    expect(ask({ todos: [work], state, head: { leases: leaseOn(work, "a1") } }).why).toBe("continue");
    expect(ask({ todos: [work], state, head: { leases: leaseOn(work, "a1", -1) } }).why).toBe("throttled");
  });

  it("row 6 is over for a rate limit whose time has come, and never of an agent whose name every object knows", () => {
    expect(ask({ todos: [work], head: { waits: { a1: { until: at(0), reason: "limit" } } } }).why).toBe("work");
    expect(ask({ todos: [work], by: "constructor" }).why).toBe("work");
    expect(ask({ todos: [work], by: null, head: { waits: { a1: { until: at(60), reason: "limit" } } } }).why).toBe("work");
  });

  it("row 8 polls before work of lower priority alone, and what is due, open and not over", () => {
    const equal = { ...work, priority: 1 };
    expect(ask({ todos: [equal, monitor] }).why).toBe("work");
    expect(ask({ todos: [monitor] }).why).toBe("monitor_due");
    expect(ask({ todos: [work, { ...monitor, metadata: { next_due_at: at(60) } }] }).why).toBe("work");
    expect(ask({ todos: [work, { ...monitor, metadata: { expires_at: at(0) } }] }).why).toBe("work");
    expect(ask({ todos: [work, { ...monitor, metadata: {} }] }).why).toBe("monitor_due");
  });

  it("row 12 counts two failures or three turns without anything new", () => {
    const stall = (failures: number, quiet: number): string =>
      ask({ todos: [todo("one", { stall: { observation: "o", failures, quiet } })] }).why;
    expect([stall(1, 2), stall(2, 0), stall(0, 3)]).toEqual(["work", "stalled", "stalled"]);
  });

  it("row 13 does not wake what still waits", () => {
    const late = todo("late", { status: "deferred", metadata: { resume_when: at(60) } });
    expect(ask({ todos: [late] }).why).toBe("next_due");
    expect(
      ask({ todos: [todo("late", { status: "deferred", metadata: { resume_when: "capacity_available:gpu" } })] }).why,
    ).not.toBe("woke");
    expect(
      ask({
        todos: [todo("late", { status: "deferred", metadata: { resume_when: "capacity_available:gpu" } })],
        request: { capabilities: ["gpu"] },
      }).why,
    ).toBe("woke");
  });

  it("row 16 asks for nothing that is bound to another agent", () => {
    const bound = (bound_agent: string): string => ask({ todos: [{ ...action, metadata: { bound_agent } }] }).why;
    expect([bound("A1"), bound("b2")]).toEqual(["user_action", "empty"]);
  });

  it("row 18 names what it waits for", () => {
    const because = (metadata: TodoRecord["metadata"], status: TodoRecord["status"] = "open"): string =>
      ask({ todos: [todo("one", { status, metadata })] }).because;
    expect(because({ resume_when: "pr_merged:#1" })).toBe("todo_one: it waits for pr_merged:#1");
    expect(because({ depends_on: "todo_gone" })).toBe("todo_one: it waits for todo_gone");
    expect(because({ reason: "no disk" }, "blocked")).toBe("todo_one: no disk");
  });

  it("row 20 is not reached while anything is open, blocked or deferred", () => {
    for (const status of ["open", "blocked", "deferred"] as const)
      expect(ask({ todos: [todo("shut", { status: "done" }), todo("left", { status, role: "user" })] }).why).not.toBe("complete");
  });
});
