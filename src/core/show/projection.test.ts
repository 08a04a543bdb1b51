import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDriftList } from "./drift-list.ts";
import { buildGoalShow } from "./goal-show.ts";
import { PAGE_BYTES } from "./paging.ts";
import { printedBytes } from "./print-json.ts";
import { buildRootProjection, buildSharedRuntimeProjection, GOAL_PROJECTION_BYTES } from "./projection.ts";

import { anyView, goalId, later, NOW, sampleView, withRuns } from "./view.sample.ts";
import type { GoalView } from "./view.ts";

const roots = { registry: "/r.json", runtime_root: "/rt" };
const placed = (views: readonly GoalView[]): readonly { readonly view: GoalView; readonly cursor: string }[] =>
  views.map((view) => ({ view, cursor: view.goal_id }));

function rootOf(views: readonly GoalView[]): ReturnType<typeof buildRootProjection> {
  const counts = { goals: 10_000, runs: 1, attention: 9000, waiting_for_person: 0, open_todos: 0, waiting_todos: 0, stopped: 0 };
  const checked = { now: 20, earlier: 9980, oldest: NOW };
  return buildRootProjection({
    ...roots,
    counts,
    checked,
    problems: [],
    goals: placed(views),
    attention: placed(views),
    now: NOW,
  });
}

describe("the shared runtime projection", () => {
  it("U1, U3: names its form and what it was made from", () => {
    const view = withRuns({ last_activity_at: later(3) });
    expect(buildSharedRuntimeProjection(view, NOW)).toMatchObject({
      schema_version: "loopx_goal_projection_v1",
      goal_id: "garden",
      gathered_at: NOW,
      next_change_at: later(3),
      state_sha256_16: "0123456789abcdef",
      objective: "A garden that feeds us",
      attention: { status: "active_state_agent_todo" },
      goal: { goal_id: "garden", next_action: "Water the tomatoes before noon." },
    });
    const bare = sampleView({
      state_file: { kind: "not_declared", since: NOW },
      activation: { kind: "stopped", reason: "", since: null },
    });
    expect(buildSharedRuntimeProjection(bare, NOW)).toMatchObject({
      state_sha256_16: null,
      attention: null,
      next_change_at: null,
    });
    expect(rootOf([view])).toMatchObject({
      schema_version: "loopx_root_projection_v1",
      gathered_at: NOW,
      ...roots,
      goal_count: 10_000,
      goals: [{ goal_id: "garden" }],
      left_out: { goals: 9999, goals_cursor: "goals.1.garden" },
    });
  });

  it("U2: keeps its size, whatever the goals hold", () => {
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1, maxLength: 20 }), (views) => {
        expect(printedBytes(rootOf(views))).toBeLessThanOrEqual(PAGE_BYTES);
        const [view] = views;
        if (view) expect(printedBytes(buildSharedRuntimeProjection(view, NOW))).toBeLessThanOrEqual(GOAL_PROJECTION_BYTES);
      }),
      { numRuns: 50 },
    );
  });
});

describe("buildDriftList", () => {
  const drifting = sampleView({ shares_state_file_with: ["orchard"], cadence_ms: 1 });
  const input = { ...roots, goal_filter: null, goal_count: 1, seen: 0, kinds: null, extent: { kind: "page" }, now: NOW } as const;

  it("lists all drift of each goal in the pinned form", () => {
    const { drift, left_out } = buildDriftList({ ...input, goals: placed([drifting]) });
    expect(drift.map((entry) => entry.kind)).toEqual(["state_file_shared", "no_run_within_cadence"]);
    expect(Object.keys(drift[0] ?? {}).toSorted()).toEqual([
      "declared",
      "fix",
      "goal_id",
      "kind",
      "observed",
      "severity",
      "since",
    ]);
    expect(left_out).toEqual({ goals: 0, entries: 0, texts: 0, cursor: null, get: [] });
  });

  it("keeps the kinds asked for", () => {
    const { drift } = buildDriftList({ ...input, goals: placed([drifting]), kinds: ["state_file_shared"] });
    expect(drift.map((entry) => entry.kind)).toEqual(["state_file_shared"]);
  });

  it("B1: ends behind a whole goal and goes on there; --all and --limit do not end early", () => {
    const long = "x".repeat(300);
    const views = Array.from({ length: 200 }, (_, at) => ({
      ...drifting,
      goal_id: goalId(`g${1000 + at}`),
      shares_state_file_with: [long],
    }));
    const first = buildDriftList({ ...input, goal_count: 500, goals: placed(views), seen: 100 });
    const shown = first.drift.length / 2;
    expect(first.left_out).toMatchObject({ goals: 400 - shown, cursor: `drift.${100 + shown}.g${999 + shown}` });
    expect(first.left_out.get[0]).toBe(`loopx drift --cursor ${first.left_out.cursor}`);
    for (const extent of [{ kind: "all" }, { kind: "limit", rows: 200 }] as const) {
      expect(buildDriftList({ ...input, goal_count: 200, goals: placed(views), extent }).drift).toHaveLength(400);
    }
  });

  it("B2: a page is at most 32 KiB, and shortens with a mark", () => {
    const huge = sampleView({ shares_state_file_with: ["x".repeat(5000)] });
    const one = buildDriftList({ ...input, goal_filter: "garden", goals: placed([huge]) });
    expect(one.left_out).toMatchObject({ texts: 1, get: ["loopx drift --goal-id garden --all"] });
    const conflicts = Array.from({ length: 40 }, () => {
      const text = "\u0001".repeat(400);
      return { field: text, ours: text, theirs: text, since: NOW };
    });
    const worst = buildDriftList({ ...input, goals: placed([sampleView({ conflicts })]) });
    expect(printedBytes(worst)).toBeLessThanOrEqual(PAGE_BYTES);
    expect(worst.left_out.entries).toBe(40 - worst.drift.length);
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1, maxLength: 20 }), (views) => {
        expect(printedBytes(buildDriftList({ ...input, goal_count: 20, goals: placed(views) }))).toBeLessThanOrEqual(PAGE_BYTES);
      }),
      { numRuns: 50 },
    );
  });
});

describe("buildGoalShow", () => {
  it("is whole", () => {
    const entries = ["x".repeat(50_000), "second"];
    const payload = buildGoalShow({ ...roots, view: sampleView({ next_action: { entries, since: NOW } }), now: NOW });
    expect(payload.goal).toMatchObject({
      next_action: entries[0],
      next_action_entries: entries,
      objective: "A garden that feeds us",
    });
    expect(buildGoalShow({ ...roots, view: sampleView({ next_action: null }), now: NOW }).goal.next_action_entries).toEqual([]);
  });
});
