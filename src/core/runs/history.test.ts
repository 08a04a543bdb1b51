import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { comparePlaced, compareRuns, latestOf, markFuture, mergePlaced, type PlacedRow, runIdentity } from "./history.ts";
import type { RunRow, RunSummary } from "./run.ts";
import { RunTable } from "./run-table.ts";
import { isNeutral, NEUTRAL_CLASSES, speaksForGoal } from "./speaks.ts";
import { summarise } from "./summary.ts";

const GOAL = "alpha" as GoalId;
const NOW = parseInstant("2026-08-02T00:00:00Z") as Instant;

function place(row: RunRow, position: number): PlacedRow {
  return { identity: runIdentity(row), position, line: position + 1, at: parseInstant(row.generated_at), row };
}

function table(rows: readonly RunRow[]): RunTable {
  const runs = new RunTable();
  runs.add(rows.map(place));
  return runs;
}

const all = { which: "all", skip: 0, limit: 1000 } as const;

describe("identity and merging (R1)", () => {
  test("rows of one time and one pair of files are one run: later keys win, the first place stays", () => {
    const base = { generated_at: "2026-08-01T10:00:00+00:00", json_path: "/r/a.json", markdown_path: "/r/a.md" };
    const runs = table([
      { ...base, classification: "state_refreshed", recommended_action: "Write it." },
      { ...base, json_path: "/r/b.json" },
      { ...base, human_reward: { decision: "accept" }, classification: "run_validation" },
    ]);
    expect(runs.count).toBe(2);
    expect(runs.page(all).map(({ position, row }) => [position, row.classification, row.recommended_action])).toEqual([
      [1, undefined, undefined],
      [0, "run_validation", "Write it."],
    ]);
  });

  test("a missing key is the same as null, and no value makes two rows one by accident", () => {
    expect(runIdentity({})).toBe(runIdentity({ generated_at: null, json_path: null }));
    expect(runIdentity({ json_path: "a" })).not.toBe(runIdentity({ markdown_path: "a" }));
    expect(runIdentity({ generated_at: "a\u0000b" })).not.toContain("\u0000");
  });

  test("merging in any grouping gives the same", () => {
    const some = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) }, { requiredKeys: [] });
    fc.assert(
      fc.property(some, some, some, (x, y, z) => {
        const [a, b, c] = [place(x, 0), place(y, 1), place(z, 2)];
        expect(mergePlaced(mergePlaced(a, b), c)).toEqual(mergePlaced(a, mergePlaced(b, c)));
      }),
    );
  });

  test("adding rows in any steps gives the same table", () => {
    const row = fc.record({ generated_at: fc.constantFrom("2026-08-01", "x", null), json_path: fc.nat(3), k: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.nat(20), (rows, cut) => {
        const placed = rows.map(place);
        const stepped = new RunTable();
        stepped.add(placed.slice(0, cut));
        stepped.page(all);
        stepped.add(placed.slice(cut));
        expect(stepped.page(all)).toEqual(table(rows).page(all));
      }),
    );
  });
});

describe("order (R4)", () => {
  test("by instant whatever the offset, then later first; without a time last, by their text downwards", () => {
    const runs = table([
      { generated_at: "2026-08-01T09:30:00+00:00", n: 1 },
      { generated_at: "2026-08-01T18:00:00+09:00", n: 2 },
      { generated_at: "not-a-time", n: 3 },
      { generated_at: "2026-08-01T09:45:00", n: 4 },
      { n: 5 },
      { generated_at: "2026-08-01T09:45:00Z", n: 6 },
      { json_path: "x", n: 7 },
    ]);
    expect(runs.page(all).map(({ row }) => row["n"])).toEqual([6, 4, 1, 2, 3, 7, 5]);
  });

  test("is total and the same from either side", () => {
    const row = fc.record({ generated_at: fc.constantFrom("2026-08-01", "2026-08-01T00:00:00Z", "x", "y", 5, null) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 3 }), (rows) => {
        const [a, b, c] = rows.map(place) as [PlacedRow, PlacedRow, PlacedRow];
        expect(Math.sign(comparePlaced(a, b))).toBe(-Math.sign(comparePlaced(b, a)));
        if (comparePlaced(a, b) < 0 && comparePlaced(b, c) < 0) expect(comparePlaced(a, c)).toBeLessThan(0);
        expect(comparePlaced(a, b)).not.toBe(0);
      }),
    );
  });

  test("of two runs of one instant, ours comes first", () => {
    const foreign = summarise(place({ generated_at: "2026-08-01T09:00:00Z" }, 900), GOAL);
    const own: RunSummary = { ...foreign, origin: "journal", position: 1 };
    expect(compareRuns(own, foreign)).toBeLessThan(0);
    expect(compareRuns(foreign, own)).toBeGreaterThan(0);
    const undated = (generated_at: string | null, origin: "journal" | "foreign"): RunSummary => ({
      ...foreign,
      at: null,
      generated_at,
      origin,
    });
    expect(compareRuns(undated(null, "journal"), undated(null, "foreign"))).toBeLessThan(0);
    expect(compareRuns(undated("x", "foreign"), undated("y", "journal"))).toBeGreaterThan(0);
    expect(compareRuns(undated(null, "journal"), undated("a", "foreign"))).toBeGreaterThan(0);
    expect(compareRuns(undated("a", "foreign"), undated(null, "foreign"))).toBeLessThan(0);
  });

  test("pages pass over rows that do not speak", () => {
    const runs = table([
      { generated_at: "2026-08-01", n: 1 },
      { generated_at: "2026-08-02", n: 2, classification: "quota_slot_spent" },
      { generated_at: "2026-08-03", n: 3 },
    ]);
    expect(runs.page({ which: "speaking", skip: 1, limit: 5 }).map(({ row }) => row["n"])).toEqual([1]);
    expect(runs.page({ which: "all", skip: 0, limit: -1 })).toEqual([]);
  });
});

describe("the latest run", () => {
  const run = (generated_at: string, more: RunRow = {}): RunSummary => summarise(place({ generated_at, ...more }, 0), GOAL);

  test("is never dated after now, which is marked (R5)", () => {
    const future = run("2099-01-01T00:00:00Z");
    const past = run("2026-08-01T00:00:00Z");
    expect(latestOf([future, past], NOW)).toBe(past);
    expect(latestOf([future], NOW)).toBeNull();
    expect(markFuture([future, past], NOW)).toEqual([{ ...future, future: true }, past]);
  });

  test("is never bookkeeping nor of an agent lane (R3)", () => {
    const old = run("2026-07-01T00:00:00Z");
    const lane = run("2026-08-01T00:00:00Z", { progress_scope: "agent_lane" });
    const neutral = [...NEUTRAL_CLASSES].map((classification) => run("2026-08-01T00:00:00Z", { classification }));
    expect(latestOf([lane, ...neutral, old], NOW)).toBe(old);
    expect([...NEUTRAL_CLASSES].sort()).toEqual([
      "canary_promotion_readiness_smoke_group",
      "quota_monitor_poll",
      "quota_slot_spent",
      "quota_slot_voided",
    ]);
    expect(isNeutral(7)).toBe(false);
    expect(speaksForGoal({})).toBe(true);
  });

  test("does not depend on the order in which runs come", () => {
    const runs = [run("2026-07-01"), run("x"), run("2026-08-01"), run("2026-06-01")];
    fc.assert(
      fc.property(fc.shuffledSubarray(runs, { minLength: 4 }), (shuffled) => {
        expect(latestOf(shuffled, NOW)).toBe(runs[2]);
      }),
    );
  });
});
