import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE_BYTES, parseCursor, parseExtent, parseFields } from "./paging.ts";
import { printedBytes } from "./print-json.ts";
import type { StatusInput, ViewRow } from "./status.ts";
import { buildStatus, ONE_GOAL_BYTES, STATUS_FIELDS } from "./status.ts";
import { wholeRow } from "./status-goal.ts";
import { anyView, goalId, instant, later, NOW, sampleRun, sampleView, withRuns } from "./view.sample.ts";
import type { GoalView } from "./view.ts";

function rows(views: readonly GoalView[]): readonly ViewRow[] {
  return views.map((view, at) => ({ view, cursor: `${view.goal_id}-${at}` }));
}

/** Cursors that are long and grow when they are quoted. */
function wildRows(views: readonly GoalView[]): readonly ViewRow[] {
  return views.map((view, at) => ({ view, cursor: `${at}${"'$".repeat(64)}` }));
}

function input(views: readonly GoalView[], change: Partial<StatusInput> = {}): StatusInput {
  return {
    registry: "/home/p/.loopx/registry.json",
    runtime_root: "/home/p/.loopx/runtime",
    goal_filter: null,
    counts: {
      goals: views.length,
      runs: 3,
      attention: views.length,
      waiting_for_person: 0,
      open_todos: 1,
      waiting_todos: 0,
      stopped: 0,
    },
    checked: { now: views.length, earlier: 0, oldest: null },
    problems: [],
    goals: rows(views),
    attention: rows(views),
    continues: null,
    extent: { kind: "page" },
    fields: null,
    now: NOW,
    ...change,
  };
}

const many = (count: number, change: Partial<GoalView> = {}): readonly GoalView[] =>
  Array.from({ length: count }, (_, at) => sampleView({ goal_id: goalId(`goal-${String(at).padStart(5, "0")}`), ...change }));

describe("buildStatus", () => {
  it("shows one goal whole, and that nothing was left out", () => {
    const status = buildStatus(input([sampleView()], { goal_filter: "garden" }));
    expect(status).toMatchObject({
      ok: true,
      registry: "/home/p/.loopx/registry.json",
      runtime_root: "/home/p/.loopx/runtime",
      goal_count: 1,
      run_count: 3,
      goals: [
        {
          goal_id: "garden",
          activation: "active",
          run_count: 1,
          next_action: "Water the tomatoes before noon.",
          latest_run: {
            generated_at: "2026-03-09T08:00:00.000Z",
            classification: "state_refreshed",
            recommended_action: "Water the tomatoes before noon.",
          },
          todos: { open: 1, waiting_for_person: 0, next_for_agents: [{ todo_id: "todo_tomato" }] },
          drift: [],
          problems: [],
          left_out: null,
        },
      ],
      attention_queue: [{ goal_id: "garden", waiting_on: "codex" }],
      left_out: { goals: 0, attention: 0, texts: 0, entries: 0, goals_cursor: null, attention_cursor: null, get: [] },
    });
  });

  it.each<[string, Partial<GoalView>, object]>([
    [
      "stopped by the registry",
      { activation: { kind: "stopped", reason: "season over", since: null } },
      { activation: "stopped", activation_reason: "season over", activation_since: null, lifecycle: "active" },
    ],
    [
      "stopped by a command",
      { lifecycle: { kind: "stopped", reason: "frost", since: NOW } },
      { activation: "stopped", activation_reason: "frost", activation_since: NOW, lifecycle: "stopped" },
    ],
    [
      "archived",
      { lifecycle: { kind: "archived", since: NOW, target: "/a" } },
      { activation: "stopped", activation_reason: "archived", activation_since: NOW, lifecycle: "archived" },
    ],
    [
      "with an activation that is neither",
      { activation: { kind: "invalid", since: NOW } },
      { activation: "invalid", activation_since: NOW, drift: [{ kind: "activation_invalid" }] },
    ],
    ["without a plan", { next_action: null }, { next_action: null }],
    [
      "without a declared file",
      { state_file: { kind: "not_declared", since: NOW } },
      { state_file: { kind: "not_declared", path: null }, drift: [{ kind: "state_file_missing" }] },
    ],
  ])("tells of a goal %s", (_, change, expected) => {
    expect(buildStatus(input([sampleView(change)])).goals[0]).toMatchObject(expected);
  });

  it("never takes a run dated after now for the latest", () => {
    const view = withRuns({ latest: [sampleRun({ at: later(1), classification: "tomorrow" }), sampleRun()] });
    expect(buildStatus(input([view])).goals[0]).toMatchObject({
      future_runs: 1,
      latest_run: { classification: "state_refreshed" },
    });
    expect(buildStatus(input([withRuns({ latest: [sampleRun({ at: later(1) })] })])).goals[0]?.latest_run).toBeNull();
  });

  it("shows every known fact of a run, and problems with path and line", () => {
    const run = {
      agent_id: "alice",
      turn_instance_id: "t1",
      todo_id: "todo_abc",
      progress_scope: "goal",
      delivery_outcome: "done",
      delivery_batch_scale: "small",
    };
    const view = withRuns(
      { latest: [sampleRun(run)] },
      {
        problems: [
          { path: "/p/x", line: 3, code: "c", message: "m" },
          { code: "d", message: "n" },
        ],
        problem_count: 2,
      },
    );
    expect(wholeRow({ view, drift: [], now: NOW })).toMatchObject({
      latest_run: run,
      problems: [
        { path: "/p/x", line: 3, code: "c", message: "m" },
        { path: null, line: null, code: "d", message: "n" },
      ],
      left_out: null,
    });
  });

  it("Z2: counts the rows that did not fit and goes on behind the last one shown", () => {
    const views = many(40);
    const first = buildStatus(input(views, { counts: { ...input(views).counts, goals: 10_000, attention: 9000 } }));
    expect(first.goals.length).toBeGreaterThanOrEqual(10);
    const last = first.goals.at(-1)?.goal_id;
    expect(first.left_out).toMatchObject({ goals: 10_000 - first.goals.length, attention: 9000 - first.attention_queue.length });
    const cursor = parseCursor(first.left_out.goals_cursor ?? "", ["goals", "attention"]);
    expect(cursor).toMatchObject({
      kind: "done",
      value: { list: "goals", seen: first.goals.length, after: `${last}-${first.goals.length - 1}` },
    });
    expect(first.left_out.get).toContain(`loopx status --cursor ${first.left_out.goals_cursor}`);

    const second = buildStatus(
      input(views.slice(0, 1), {
        attention: [],
        counts: { ...input(views).counts, goals: 22 },
        continues: { list: "goals", seen: 21 },
      }),
    );
    expect(second.left_out).toMatchObject({ goals: 0, goals_cursor: null });
  });

  it("shortens with a mark, says so, and gives the command that shows all", () => {
    const view = sampleView({ next_action: { entries: ["dig ".repeat(3000)], since: NOW }, open_agent_todos: [] });
    const status = buildStatus(input([view], { goal_filter: "garden" }));
    expect(status.goals[0]?.next_action).toMatch(/…$/);
    expect(status.left_out.texts).toBeGreaterThan(0);
    expect(status.left_out.get).toEqual(["loopx goal show --goal-id garden"]);
    expect(buildStatus(input([view])).left_out.get).toEqual(["loopx status --all"]);
  });

  it("Z4: --all and one goal with --fields are whole", () => {
    const next = "dig ".repeat(30_000);
    const view = sampleView({ next_action: { entries: [next], since: NOW } });
    const all = buildStatus(input([view, ...many(200)], { extent: { kind: "all" } }));
    expect(all.goals).toHaveLength(201);
    expect(all.goals[0]?.next_action).toBe(next);
    const one = buildStatus(input([view], { goal_filter: "garden", fields: ["next_action"] }));
    expect(Object.keys(one.goals[0] ?? {})).toEqual(["goal_id", "next_action", "left_out"]);
    expect(one.goals[0]?.next_action).toBe(next);
    expect(one.attention_queue).toEqual([]);
    expect(one.left_out.attention).toBe(0);
  });

  it("an explicit limit bounds the rows, not the page", () => {
    const status = buildStatus(input(many(300), { extent: { kind: "limit", rows: 300 } }));
    expect(status.goals).toHaveLength(300);
    expect(printedBytes(status)).toBeGreaterThan(PAGE_BYTES);
  });

  it("a command is whole or replaced by the one that shows it", () => {
    const view = withRuns(
      { latest: [sampleRun({ at: NOW, recommended_action: "'".repeat(240) })] },
      { next_action: { entries: ["Water the garden at dawn."], since: instant("2026-01-01") }, open_agent_todos: [] },
    );
    const crowded = buildStatus(input([view, ...many(19)])).attention_queue[0]?.fix;
    expect(crowded).toEqual({ command: "loopx drift --goal-id garden", safe: true });
    const whole = buildStatus(input([view], { extent: { kind: "all" } })).attention_queue[0]?.fix;
    expect(whole).toMatchObject({ safe: false, command: expect.stringContaining("--next-action") });
  });

  it("Z5: a few goals are whole, however much their rows hold", () => {
    const next = "Dig the bed, ".repeat(100);
    const run = sampleRun({ generated_at: "2026-03-01T09:30:00.123456+00:00", recommended_action: "Order chairs, ".repeat(80) });
    const views = many(3).map((view) => withRuns({ latest: [run] }, { ...view, next_action: { entries: [next], since: NOW } }));
    const status = buildStatus(input(views));
    expect(status.goals.map((row) => row.next_action)).toEqual([next, next, next]);
    expect(status.left_out).toMatchObject({ texts: 0, entries: 0 });
  });

  it("W2: the instant of a run is never half an instant", () => {
    const run = sampleRun({ generated_at: "2026-03-01T09:30:00.123456+00:00", recommended_action: "Order chairs, ".repeat(300) });
    const [row] = buildStatus(input(many(20).map((view) => withRuns({ latest: [run] }, view)))).goals;
    expect(row?.latest_run).toMatchObject({ generated_at: run.generated_at, recommended_action: expect.stringMatching(/…$/) });
  });

  it("shows the first problems of the registry and counts the rest", () => {
    const problems = Array.from({ length: 7 }, (_, line) => ({ path: "/r.json", line, code: "c", message: "m".repeat(500) }));
    const status = buildStatus(input([], { problems, attention: [] }));
    expect(status.problems).toHaveLength(5);
    expect(status.left_out).toMatchObject({ entries: 2, texts: 5 });
  });

  it("Z1: one goal is at most 4 KiB, whatever is in it", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const status = buildStatus(
          input([view], { goal_filter: view.goal_id, registry: "/r".repeat(100), runtime_root: "/t".repeat(100) }),
        );
        expect(status.goals).toHaveLength(1);
        expect(printedBytes(status)).toBeLessThanOrEqual(ONE_GOAL_BYTES);
      }),
    );
  });

  it("Z1: a page is at most 32 KiB, whatever is in it, and shows something", () => {
    fc.assert(
      fc.property(
        fc.array(anyView, { minLength: 1, maxLength: 30 }),
        fc.option(fc.subarray([...STATUS_FIELDS])),
        (views, fields) => {
          const problems = views.flatMap((view) => view.problems);
          const status = buildStatus(input(views, { fields, problems, goals: wildRows(views), attention: wildRows(views) }));
          expect(printedBytes(status)).toBeLessThanOrEqual(PAGE_BYTES);
          expect(status.goals.length).toBeGreaterThan(0);
          expect(status.left_out.goals).toBe(views.length - status.goals.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("Z3: two readings at one moment are equal", () => {
    fc.assert(
      fc.property(fc.array(anyView, { maxLength: 4 }), (views) => {
        expect(buildStatus(input(structuredClone(views)))).toEqual(buildStatus(input(views)));
        expect(buildStatus(input(views.map((view) => ({ ...view, gathered_at: later(1) }))))).toEqual(buildStatus(input(views)));
      }),
      { numRuns: 50 },
    );
  });
});

describe("what part is asked for", () => {
  it.each([
    [{}, { kind: "page" }],
    [{ limit: "1" }, { kind: "limit", rows: 1 }],
    [{ limit: "10000" }, { kind: "limit", rows: 10_000 }],
    [{ limit: "5", all: "all" as const }, { kind: "all" }],
  ])("%j is %j", (given, expected) => {
    expect(parseExtent(given)).toEqual({ kind: "done", value: expected });
  });

  it.each(["0", "-1", "1.5", "x", "", "10001", "1e3"])("--limit %j is bad input", (limit) => {
    expect(parseExtent({ limit })).toMatchObject({ kind: "bad_input", code: "invalid_limit" });
  });

  it.each(["", "goals", "goals.1", "archives.1.x", "goals.x.y", "goals.-1.y"])("--cursor %j is bad input", (cursor) => {
    expect(parseCursor(cursor, ["goals"])).toMatchObject({ kind: "bad_input", code: "invalid_cursor" });
  });

  it("X1: a cursor may hold any text", () => {
    expect(parseCursor("goals.7.a.b\n🙂", ["goals"])).toEqual({
      kind: "done",
      value: { list: "goals", seen: 7, after: "a.b\n🙂" },
    });
  });

  it("fields are known names, each once", () => {
    expect(parseFields("drift, goal_id,drift", STATUS_FIELDS)).toEqual({ kind: "done", value: ["goal_id", "drift"] });
    expect(parseFields("dirft", STATUS_FIELDS)).toMatchObject({ kind: "bad_input", code: "unknown_field", near: ["drift"] });
  });

  it("STATUS_FIELDS names every field of a row", () => {
    const { left_out: _, ...row } = wholeRow({ view: sampleView(), drift: [], now: NOW });
    expect(STATUS_FIELDS).toEqual([...Object.keys(row), "attention_queue"]);
  });
});
