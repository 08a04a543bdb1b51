import { expect, test } from "vitest";
import type { TodoRecord } from "../events.ts";
import type { AgentId, TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Situation } from "./asking.ts";
import { EMPTY_FRONTIER } from "./frontier.ts";
import { awaitedBy, concerningGates, coveringGate, gatesToTell, idleGates } from "./gates.ts";
import { situationOf } from "./situation.ts";

const NOW = "2026-05-01T10:00:00.000Z" as Instant;
const LATER = "2026-05-01T10:00:00.001Z";

function todo(id: string, metadata: TodoRecord["metadata"] = {}, role: TodoRecord["role"] = "agent"): TodoRecord {
  return {
    todo_id: id as TodoId,
    id_source: "metadata",
    role,
    text: id,
    status: "open",
    priority: null,
    task_class: metadata["task_class"] ?? null,
    section: "",
    index: 1,
    archived: false,
    metadata,
  };
}

const gate = (metadata: TodoRecord["metadata"]): TodoRecord =>
  todo("todo_gate", { task_class: "user_gate", ...metadata }, "user");

function situation(held: TodoRecord, open: TodoRecord): Situation {
  const waits = held.waits_for !== undefined;
  const frontier = { ...EMPTY_FRONTIER, gates: [open], work: waits ? [] : [held], waiting: waits ? [held] : [] };
  const goal = {
    goal_id: "g",
    registered_agents: [],
    monitor_only: [],
    write_scope: [],
    activation: "active",
    activation_reason: "",
  } as const;
  const quota = { spent: 0, reserved: 0, allowed: null, next_eligible_at: null, short: null };
  return situationOf(
    { goal, head: null, todos: new Map(), frontier, quota: { kind: "set", state: quota, is_zero: false }, problem: null },
    { agent: "a1" as AgentId, instance: null, capabilities: [], seen: null },
    NOW,
  );
}

const WORK = todo("todo_work");
const NAMED = { ...todo("todo_work"), waits_for: ["todo_gate" as TodoId] };

test.each([
  ["approve", NOW, false],
  ["approve", LATER, true],
  ["reject", NOW, true],
  ["defer", NOW, true],
  [undefined, NOW, true],
])("G3 a gate with the default %s that runs out at %s holds: %s", (outcome, expires_at, holds) => {
  const open = gate({ expires_at, ...(outcome !== undefined && { default_outcome: outcome }) });
  const asking = situation(WORK, open);
  expect(coveringGate(asking, WORK) !== null).toBe(holds);
  expect(concerningGates(asking).length === 1).toBe(holds);
  expect(gatesToTell(asking).length === 1).toBe(holds && !(outcome === "reject" && expires_at === NOW));
  expect(idleGates(asking).length === 0).toBe(holds);
  expect(asking.work === null).toBe(holds);
});

test("G3 what a gate names can be taken up once the gate ran out", () => {
  const over = situation(NAMED, gate({ default_outcome: "approve", expires_at: NOW, unblocks_todo_id: "todo_work" }));
  expect(awaitedBy(over, NAMED)).toEqual([]);
  expect(over.work).toBe(NAMED);
  const standing = situation(NAMED, gate({ default_outcome: "approve", expires_at: LATER, unblocks_todo_id: "todo_work" }));
  expect(awaitedBy(standing, NAMED)).toEqual(["todo_gate"]);
  expect(standing.work).toBeNull();
});

test("a question about the quota is told and holds up only what requires its decision", () => {
  const open = gate({ action_kind: "quota_reached", decision_scope: "resource:goal:quota" });
  const asking = situation(WORK, open);
  expect([coveringGate(asking, WORK), concerningGates(asking), gatesToTell(asking)]).toEqual([null, [], [open]]);
  const needing = todo("todo_work", { required_decision_scopes: "resource:goal:quota" });
  expect(coveringGate(situation(needing, open), needing)).toBe(open);
});
