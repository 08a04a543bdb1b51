import { describe, expect, it } from "vitest";
import { instant, NOW, sampleRun, sampleTodo, sampleView, withRuns } from "../show/view.sample.ts";
import type { GoalView } from "../show/view.ts";
import { driftOf } from "./drift-of.ts";
import { DRIFT_RULES } from "./rules.ts";

const T1 = instant("2026-03-01T00:00:00Z");
const T2 = instant("2026-03-02T00:00:00Z");
const elsewhere = [sampleRun({ at: T2, recommended_action: "Order new chairs for the office." })];
const stopped = { activation: { kind: "stopped", reason: "enough", since: T1 } } as const;
const archived = { lifecycle: { kind: "archived", since: T1, target: "/a" } } as const;
const noTodos = { open: 0, blocked: 0, deferred: 0, done: 3, waiting_for_person: 0 };
const missing = { kind: "missing", path: "/p/STATE.md", since: T1 } as const;
const unreadable = {
  kind: "unreadable",
  path: "/p/STATE.md",
  since: T1,
  problem: { code: "state_file_not_utf8", message: "is not UTF-8" },
} as const;

interface Case {
  readonly kind: string;
  readonly view: GoalView;
  readonly since: string;
  readonly fix: "safe" | "unsafe" | "person";
  readonly severity: string;
}

const CASES: readonly Case[] = [
  { kind: "state_file_unreadable", view: sampleView({ state_file: unreadable }), since: T1, fix: "person", severity: "high" },
  {
    kind: "state_file_unreadable",
    view: sampleView({ state_file: { ...unreadable, problem: { ...unreadable.problem, line: 7 } }, ...stopped }),
    since: T1,
    fix: "person",
    severity: "high",
  },
  { kind: "state_file_missing", view: sampleView({ state_file: missing }), since: T1, fix: "safe", severity: "high" },
  {
    kind: "activation_invalid",
    view: sampleView({ activation: { kind: "invalid", since: T1 } }),
    since: T1,
    fix: "person",
    severity: "high",
  },
  {
    kind: "state_file_missing",
    view: sampleView({ state_file: { kind: "not_declared", since: T1 } }),
    since: T1,
    fix: "person",
    severity: "high",
  },
  {
    kind: "clock_stepped",
    view: sampleView({ clock_stepped: { last_at: T2 }, ...archived }),
    since: T2,
    fix: "person",
    severity: "high",
  },
  {
    kind: "moved_root",
    view: sampleView({ moved_root: { recorded: "/old", actual: "/new", since: T1 } }),
    since: T1,
    fix: "person",
    severity: "action",
  },
  {
    kind: "runtime_goal_not_registered",
    view: sampleView({ registered: false, state_file: { kind: "not_declared", since: T1 } }),
    since: T1,
    fix: "person",
    severity: "action",
  },
  {
    kind: "plan_conflict",
    view: sampleView({ conflicts: [{ field: "next_action", ours: "a", theirs: "b", since: T1 }] }),
    since: T1,
    fix: "safe",
    severity: "action",
  },
  {
    kind: "todo_missing",
    view: sampleView({ withheld: [{ kind: "todo_missing", todo_ids: ["todo_abc"], since: T1 }] }),
    since: T1,
    fix: "safe",
    severity: "watch",
  },
  {
    kind: "state_file_shrunk",
    view: sampleView({ withheld: [{ kind: "file_shrunk", todo_ids: [], since: T1 }] }),
    since: T1,
    fix: "person",
    severity: "action",
  },
  {
    kind: "heading_missing",
    view: sampleView({ withheld: [{ kind: "heading_missing", todo_ids: Array(7).fill("todo_abc"), since: T1 }] }),
    since: T1,
    fix: "person",
    severity: "action",
  },
  {
    kind: "next_action_projection_mismatch",
    view: withRuns({ latest: elsewhere }, { next_action: { entries: ["Water the garden at dawn."], since: NOW } }),
    since: NOW,
    fix: "safe",
    severity: "action",
  },
  {
    kind: "next_action_projection_mismatch",
    view: withRuns(
      { latest: elsewhere },
      { next_action: { entries: ["Water the garden at dawn."], since: NOW }, registered_agents: ["ann", "bob"] },
    ),
    since: NOW,
    fix: "unsafe",
    severity: "action",
  },
  {
    kind: "next_action_projection_mismatch",
    view: withRuns({ latest: elsewhere }, { next_action: { entries: ["Water the garden at dawn."], since: T1 } }),
    since: T2,
    fix: "unsafe",
    severity: "action",
  },
  {
    kind: "next_action_projection_mismatch",
    view: withRuns(
      { latest: [sampleRun({ at: T2, recommended_action: "Order\u001b chairs for the office." })] },
      { next_action: { entries: ["Water the garden at dawn."], since: T1 } },
    ),
    since: T2,
    fix: "person",
    severity: "action",
  },
  {
    kind: "next_action_projection_mismatch",
    view: withRuns(
      { latest: [sampleRun({ at: null, recommended_action: "Order new chairs for the office." })] },
      { next_action: { entries: ["Water the garden at dawn."], since: T1 } },
    ),
    since: T1,
    fix: "safe",
    severity: "action",
  },
  {
    kind: "claimed_by_unregistered_agent",
    view: sampleView({ unregistered_claims: [sampleTodo({ claimed_by: "mallory", since: T2 })] }),
    since: T2,
    fix: "person",
    severity: "action",
  },
  {
    kind: "claimed_by_unregistered_agent",
    view: sampleView({ unregistered_claims: [sampleTodo()], registered_agents: [] }),
    since: "2026-03-08T10:00:00.000Z",
    fix: "person",
    severity: "action",
  },
  {
    kind: "state_file_shared",
    view: sampleView({ shares_state_file_with: ["orchard"], registry_changed_at: T1 }),
    since: T1,
    fix: "person",
    severity: "action",
  },
  {
    kind: "state_file_shared",
    view: sampleView({ shares_state_file_with: ["orchard"] }),
    since: "2026-03-08T10:00:00.000Z",
    fix: "person",
    severity: "action",
  },
  {
    kind: "no_run_within_cadence",
    view: sampleView({ cadence_ms: 86_400_000 }),
    since: "2026-03-10T08:00:00.000Z",
    fix: "person",
    severity: "action",
  },
  {
    kind: "no_run_within_cadence",
    view: withRuns({ latest: [], last_activity_at: null, count: 0 }, { cadence_ms: 5_400_000 }),
    since: "2026-03-08T11:30:00.000Z",
    fix: "person",
    severity: "action",
  },
  {
    kind: "no_run_within_cadence",
    view: sampleView({ cadence_ms: 1 }),
    since: "2026-03-09T08:00:00.001Z",
    fix: "person",
    severity: "action",
  },
  {
    kind: "artifacts_missing",
    view: withRuns({ missing_artifacts: [{ generated_at: T1, paths: ["/r/a.json"], origin: "journal" }] }),
    since: T1,
    fix: "safe",
    severity: "watch",
  },
  {
    kind: "artifacts_missing",
    view: withRuns({ missing_artifacts: [{ generated_at: "once", paths: ["/r/a.json"], origin: "foreign" }] }),
    since: "2026-03-08T10:00:00.000Z",
    fix: "person",
    severity: "watch",
  },
  { kind: "index_damaged", view: withRuns({ damage_count: 1, damage_since: T1 }), since: T1, fix: "person", severity: "watch" },
  {
    kind: "index_damaged",
    view: withRuns({ damage_count: 2 }),
    since: "2026-03-08T10:00:00.000Z",
    fix: "person",
    severity: "watch",
  },
  {
    kind: "next_action_without_todo",
    view: sampleView({ todo_counts: noTodos, open_agent_todos: [] }),
    since: "2026-03-08T10:00:00.000Z",
    fix: "person",
    severity: "watch",
  },
  {
    kind: "waiting_without_user_todo",
    view: withRuns({ latest: [] }, { next_action: { entries: ["Waiting for the owner to approve the plan."], since: T1 } }),
    since: T1,
    fix: "person",
    severity: "watch",
  },
  {
    kind: "foreign_writer",
    view: withRuns({ foreign_writer: { since: T1, generated_at: T1 } }, archived),
    since: T1,
    fix: "person",
    severity: "info",
  },
];

function fixKind(fix: ReturnType<typeof driftOf>[number]["fix"]): string {
  if ("person" in fix) return "person";
  return fix.safe ? "safe" : "unsafe";
}

describe("the run that follows a newer Next Action", () => {
  it.each([
    [["ann"], undefined, "loopx refresh --goal-id garden"],
    [["ann", "bob"], "bob", "loopx refresh --goal-id garden --agent-id bob"],
    [["ann", "bob"], "eve", "loopx refresh --goal-id garden --agent-id ann"],
  ])("of the agents %j, the last one being %s: %s", (registered_agents, agent_id, command) => {
    const run = sampleRun({ at: T2, recommended_action: "Order new chairs.", ...(agent_id !== undefined && { agent_id }) });
    const next_action = { entries: ["Water the garden at dawn."], since: NOW };
    const found = driftOf(withRuns({ latest: [run] }, { next_action, registered_agents }), NOW);
    expect(found[0]?.fix).toMatchObject({ command });
  });
});

describe("each rule", () => {
  it.each(CASES)("finds $kind alone, with since, severity and a $fix fix", ({ kind, view, since, fix, severity }) => {
    const drift = driftOf(view, NOW);
    expect(drift.map((entry) => entry.kind)).toEqual([kind]);
    expect(drift[0]).toMatchObject({ goal_id: "garden", since, severity });
    expect(drift.map((entry) => fixKind(entry.fix))).toEqual([fix]);
    for (const side of ["declared", "observed"] as const) expect(drift[0]?.[side]).not.toBe("");
  });

  it("every kind of every rule is found by some case", () => {
    const kinds = DRIFT_RULES.flatMap((rule) => rule.kinds);
    expect(new Set(CASES.map((one) => one.kind))).toEqual(new Set(kinds));
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});
