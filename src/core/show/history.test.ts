import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryGoal, HistoryInput, HistoryRun } from "./history.ts";
import { buildHistory } from "./history.ts";
import { PAGE_BYTES } from "./paging.ts";
import { printedBytes } from "./print-json.ts";
import { anyInstant, anyText, later, NOW } from "./view.sample.ts";

const GOAL: HistoryGoal = {
  id: "garden",
  activation_state: "active",
  display_name: null,
  domain: null,
  status: "active",
  registry_member: true,
  legacy_runtime_goal: false,
  raw_index_records: 3,
  unique_runs: 3,
  damage_count: 0,
};

function run(change: Partial<HistoryRun> = {}): HistoryRun {
  const row = {
    generated_at: NOW,
    goal_id: "garden",
    classification: "state_refreshed",
    recommended_action: "Water the tomatoes.",
  };
  return { row, at: NOW, origin: "foreign", cursor: "c1", ...change };
}

function input(runs: readonly HistoryRun[], change: Partial<HistoryInput> = {}): HistoryInput {
  return {
    registry: "/r.json",
    runtime_root: "/rt",
    goal_filter: "garden",
    goal_count: 1,
    run_count: runs.length,
    goals: [GOAL],
    runs,
    seen: 0,
    extent: { kind: "page" },
    now: NOW,
    ...change,
  };
}

describe("buildHistory", () => {
  it("Y1: keeps every key of a row, and says who wrote it and whether its files are there", () => {
    const row = JSON.parse('{"generated_at":"x","__proto__":{"a":1},"mine":[1,{"b":null}],"recommended_action":"a\\u0000"}');
    const history = buildHistory(input([run({ row, at: null, json_exists: false, markdown_exists: true })]));
    expect(JSON.parse(JSON.stringify(history.runs[0]))).toEqual({
      ...row,
      origin: "foreign",
      json_exists: false,
      markdown_exists: true,
    });
    expect(history).toMatchObject({
      ok: true,
      goal_filter: "garden",
      goal_count: 1,
      run_count: 1,
      left_out: { runs: 0, texts: 0, get: [] },
    });
  });

  it("Y2: marks the runs that are dated after now, and no others", () => {
    const { runs } = buildHistory(input([run({ at: later(1) }), run(), run({ at: null }), run({ at: later(-1) })]));
    expect(runs.map((shown) => shown.future)).toEqual([true, undefined, undefined, undefined]);
    expect(runs[1]).not.toHaveProperty("future");
  });

  it("pages, and says how to go on", () => {
    const first = buildHistory(input([run({ cursor: "a" }), run({ cursor: "b" })], { run_count: 7, seen: 2 }));
    expect(first.left_out).toMatchObject({
      runs: 3,
      cursor: "runs.4.b",
      get: ["loopx history --goal-id garden --cursor runs.4.b"],
    });
    const all = buildHistory(input([run({ cursor: "b" })], { run_count: 5, goal_filter: null }));
    expect(all.left_out.get).toEqual(["loopx history --cursor runs.1.b"]);
  });

  it("lists 20 goals and counts the others, all with --all", () => {
    const goals = Array.from({ length: 30 }, () => GOAL);
    expect(buildHistory(input([], { goals, goal_count: 100 }))).toMatchObject({ left_out: { goals: 80 } });
    expect(buildHistory(input([], { goals, goal_count: 30, extent: { kind: "all" } })).goals).toHaveLength(30);
  });

  it("shortens texts at any depth, then drops what is deep, then all but the head", () => {
    const deep = (depth: number): unknown => (depth === 0 ? "bottom" : { in: deep(depth - 1) });
    const text = buildHistory(input([run({ row: { ...run().row, state: { notes: ["n".repeat(5000)] }, deep: deep(20) } })]));
    expect(JSON.stringify(text.runs[0])).toMatch(/n…/);
    expect(JSON.stringify(text.runs[0])).not.toContain("bottom");
    expect(text.left_out).toMatchObject({ texts: 1, fields: 0, get: ["loopx history --goal-id garden --all"] });

    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key${at}`, at]));
    const head = buildHistory(
      input([run({ row: { ...run().row, ...wide, state: {}, agent_id: null, json_path: ["odd"], loopx_event: 7 } })]),
    );
    expect(Object.keys(head.runs[0] ?? {})).toEqual([
      "generated_at",
      "goal_id",
      "classification",
      "recommended_action",
      "agent_id",
      "loopx_event",
      "origin",
    ]);
    expect(head.left_out.fields).toBe(502);
  });

  it("Y3: a page is at most 32 KiB, whatever the rows hold, and shows something", () => {
    const hostile: fc.Arbitrary<HistoryRun> = fc
      .record({ row: fc.dictionary(fc.string(), fc.oneof(anyText, fc.jsonValue())), action: anyText, at: fc.option(anyInstant) })
      .map(({ row, action, at }) => run({ row: { ...row, recommended_action: action, classification: action }, at }));
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (runs) => {
        const history = buildHistory(input(runs, { run_count: 1000 }));
        expect(printedBytes(history)).toBeLessThanOrEqual(PAGE_BYTES);
        expect(history.runs.length).toBeGreaterThan(0);
        expect(history.left_out.runs).toBe(1000 - history.runs.length);
        expect(buildHistory(input(runs, { extent: { kind: "limit", rows: 40 } })).runs).toHaveLength(runs.length);
      }),
      { numRuns: 40 },
    );
  });
});
