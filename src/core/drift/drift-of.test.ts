import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMilliseconds } from "../instant.ts";
import { anyInstant, anyView, instant, later, NOW, sampleRun, sampleView, withRuns } from "../show/view.sample.ts";
import type { GoalView } from "../show/view.ts";
import { driftOf, nextChangeAt } from "./drift-of.ts";

const T1 = instant("2026-03-01T00:00:00Z");
const T2 = instant("2026-03-02T00:00:00Z");
const elsewhere = [sampleRun({ at: T2, recommended_action: "Order new chairs for the office." })];
const stopped = { activation: { kind: "stopped", reason: "enough", since: T1 } } as const;
const archived = { lifecycle: { kind: "archived", since: T1, target: "/a" } } as const;
const noTodos = { open: 0, blocked: 0, deferred: 0, done: 3, waiting_for_person: 0 };
const missing = { kind: "missing", path: "/p/STATE.md", since: T1 } as const;

describe("driftOf", () => {
  it("finds nothing in a healthy goal", () => {
    expect(driftOf(sampleView(), NOW)).toEqual([]);
    expect(driftOf(sampleView({ next_action: null }), NOW)).toEqual([]);
    expect(driftOf(sampleView({ next_action: { entries: [], since: T1 } }), NOW)).toEqual([]);
  });

  it("names the goal in commands so that a shell reads it as one word", () => {
    const view = sampleView({ conflicts: [{ field: "next_action", ours: "a", theirs: "b", since: T1 }] });
    const [drift] = driftOf({ ...view, goal_id: "it's $HOME" as typeof view.goal_id }, NOW);
    expect(drift?.fix).toEqual({
      command: "loopx drift --goal-id 'it'\"'\"'s $HOME' --fix",
      safe: true,
    });
  });

  it("G2: a stopped goal is asked less, an archived one less still", () => {
    const view = withRuns(
      { latest: elsewhere, damage_count: 1, foreign_writer: { since: T1, generated_at: T1 } },
      { cadence_ms: 1, todo_counts: noTodos, state_file: missing },
    );
    const kinds = (change: Partial<GoalView>): readonly string[] => driftOf({ ...view, ...change }, NOW).map((one) => one.kind);
    expect(kinds({})).toContain("no_run_within_cadence");
    expect(kinds(stopped)).toEqual(["state_file_missing", "index_damaged", "foreign_writer"]);
    expect(kinds({ lifecycle: { kind: "stopped", since: T1, reason: "" } })).toEqual(kinds(stopped));
    expect(kinds(archived)).toEqual(["foreign_writer"]);
    expect(kinds({ lifecycle: { kind: "archiving", since: T1, source: "/a", target: "/b" } })).toEqual(["foreign_writer"]);
  });

  it.each([
    ["Waiting for owner approval of the schema.", true],
    ["Blocked until the reviewer signs off", true],
    ["The migration needs sign-off", true],
    ["Ask the maintainer which branch", true],
    ["等待用户批准发布", true],
    ["请确认范围", true],
    ["Run the benchmark and record results.", false],
    ["Explain how users wait in queues", false],
    ["Fix the waiting room; the owner field stays", false],
    ["运行基准测试", false],
  ])("hears waiting in %j: %s", (text, heard) => {
    const view = withRuns({ latest: [] }, { next_action: { entries: ["Do the first thing", text], since: T1 } });
    expect(driftOf(view, NOW).map((one) => one.kind)).toEqual(heard ? ["waiting_without_user_todo"] : []);
    const told = { ...view, todo_counts: { ...noTodos, open: 2, waiting_for_person: 1 } };
    expect(driftOf(told, NOW)).toEqual([]);
  });

  it("passes over a run dated after now, and takes it up when its time has come", () => {
    const future = sampleRun({ at: later(2), recommended_action: "Order new chairs for the office." });
    const view = withRuns({ latest: [future, sampleRun()] });
    expect(driftOf(view, NOW)).toEqual([]);
    expect(nextChangeAt(view, NOW)).toBe(later(2));
    expect(driftOf(view, later(2)).map((one) => one.kind)).toEqual(["next_action_projection_mismatch"]);
    expect(nextChangeAt(view, later(2))).toBeNull();
  });

  it("counts the cadence from the last activity that is not in the future", () => {
    const view = withRuns({ last_activity_at: later(5) }, { cadence_ms: 3 * 86_400_000 });
    expect(driftOf(view, NOW)).toEqual([]);
    expect(nextChangeAt(view, NOW)).toBe(later(5));
    expect(nextChangeAt({ ...view, cadence_ms: 28 * 3_600_000 + 1 }, NOW)).toBe(addMilliseconds(NOW, 1));
  });

  it("F1, G1: two readings of a view at one moment are equal, and an unchanged drift keeps its since", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(driftOf(structuredClone(view), NOW)).toEqual(driftOf(view, NOW));
        const next = nextChangeAt(view, NOW);
        if (next === null) expect(driftOf({ ...view, gathered_at: later(50) }, later(50))).toEqual(driftOf(view, NOW));
      }),
    );
  });

  it("G3: nothing changes before nextChangeAt", () => {
    fc.assert(
      fc.property(anyView, anyInstant, fc.nat({ max: 80 * 3_600_000 }), (view, now, wait) => {
        const next = nextChangeAt(view, now);
        const then = addMilliseconds(now, wait);
        if (next !== null) expect(next > now).toBe(true);
        if (next === null || then < next) expect(driftOf(view, then)).toEqual(driftOf(view, now));
      }),
    );
  });
});
