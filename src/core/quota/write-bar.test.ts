import { describe, expect, test } from "vitest";
import type { Evidence, GoalFact } from "../events.ts";
import { PROFILES } from "../registry/quota-settings.ts";
import type { LimitedGoal } from "./limits.ts";
import { factBar } from "./write-bar.ts";

const LONG = "x".repeat(400);
const goal = (limits: Partial<LimitedGoal["limits"]>): LimitedGoal => ({
  goal_id: "g",
  limits: { ...PROFILES.interactive, ...limits },
});

const EVIDENCE: Evidence = {
  label: "tests",
  argv: ["npm", "test"],
  outcome: "reported",
  exit_code: 0,
  duration_ms: 1,
  tree_hash: null,
  environment: null,
  output: null,
};
const reported: GoalFact = { type: "evidence.recorded", data: { ...EVIDENCE, note: LONG } };
const ran: GoalFact = { type: "evidence.recorded", data: { ...EVIDENCE, outcome: "failed", note: LONG } };
const run = (delivery_outcome: string): GoalFact => ({
  type: "run.recorded",
  data: {
    classification: "c",
    recommended_action: LONG,
    recommended_action_source: "given",
    health_check: "ok",
    progress_scope: "goal",
    delivery_outcome,
    state: null,
  },
});
const poll = (changed: boolean): GoalFact =>
  ({ type: "monitor.polled", data: { todo_id: "todo_m", result_hash: "h", changed, fields: {}, source: "command" } }) as never;

describe("one event", () => {
  const small = goal({ max_event_bytes: 300 });
  test.each([
    [{ type: "plan.next_action_set", data: { entries: [LONG], source: "command" } } as const, "entries"],
    [reported, "note"],
    [run("surface_only"), "recommended_action"],
  ])("that is too long is refused with the field that is", (fact, field) => {
    expect(factBar(small, fact as GoalFact, 0)).toMatchObject({ code: "limit_event_bytes", details: { field, limit: 300 } });
    expect(factBar(goal({ max_event_bytes: 0 }), fact as GoalFact, 0)).toBeNull();
  });

  test.each([
    ran,
    run("outcome_progress"),
    { type: "goal.stopped", data: { reason: LONG } } as const,
    { type: "todo.closed", data: { todo_id: "t", outcome: "done", next: { kind: "none", reason: LONG } } } as never,
    { type: "turn.written", data: { summary: LONG } } as never,
    { type: "lease.freed", data: { reason: LONG } } as never,
    { type: "archive.started", data: { source: LONG, target: LONG } } as const,
  ])("W1 of $type is never refused for size", (fact) => {
    expect(factBar(goal({ max_event_bytes: 1, max_runtime_bytes: 1 }), fact as GoalFact, 10)).toBeNull();
  });

  test("what a run found in the state file does not count", () => {
    const state = { path: LONG, sha256_16: "", frontmatter: {}, next_action: [LONG], recent_feedback: [], progress: [] };
    const fact = { type: "run.recorded", data: { ...run("surface_only").data, recommended_action: "go", state } } as GoalFact;
    expect(factBar(small, fact, 0)).toBeNull();
  });
});

describe("W2 a full goal", () => {
  const full = goal({ max_runtime_bytes: 1000 });
  test.each([
    [reported, 1000, "limit_runtime_bytes"],
    [reported, 999, undefined],
    [poll(false), 1000, "limit_runtime_bytes"],
    [poll(true), 1000, undefined],
    [run("surface_only"), 1000, undefined],
    [ran, 1000, undefined],
  ])("%# bars what can be left out", (fact, bytes, code) => {
    expect(factBar(full, fact, bytes)?.code).toBe(code);
  });
});
