import { describe, expect, it } from "vitest";
import { goalId, later, NOW, sampleRun, sampleTodo, sampleView, withRuns } from "../view.sample.ts";
import { age } from "./age.ts";
import { status, statusPayload } from "./pages.sample.ts";
import { statusPage } from "./status.ts";
import { table } from "./table.ts";
import { widthOf } from "./width.ts";

/** Tables without the blanks that line their columns up. */
function cells(text: string): string {
  return text.replace(/ +\|/g, " |");
}

describe("age", () => {
  it.each([
    [0, "just now"],
    [-0.01, "just now"],
    [-0.5, "30 min ago"],
    [-5.9, "5 h ago"],
    [-50, "2 d ago"],
    [3, "in 3 h"],
  ])("%d hours from now is %j", (hours, expected) => {
    expect(age(later(hours), NOW)).toBe(expected);
  });
});

describe("table", () => {
  it.each([
    ["a|b", "a\\|b"],
    ["a\\|b", "a\\|b"],
    ["a\\\\|b", "a\\\\\\|b"],
  ])("keeps %j in one column", (cell, expected) => {
    expect(table(["h"], [[cell]]).at(-1)).toBe(`| ${expected} |`);
  });
});

describe("statusPage", () => {
  it("E1: fits a screen, whatever the number of goals", () => {
    const views = Array.from({ length: 30 }, (_, at) =>
      sampleView({ goal_id: goalId(`goal-${at}`), cadence_ms: 1, conflicts: [] }),
    );
    const problems = Array.from({ length: 3 }, () => ({ path: "/r.json", line: 2, code: "c", message: "m" }));
    const checked = { now: 20, earlier: 9970, oldest: NOW };
    const counts = {
      goals: 10_000,
      runs: 1,
      attention: 9000,
      waiting_for_person: 3,
      open_todos: 0,
      waiting_todos: 0,
      stopped: 4,
    };
    const text = status(views, { problems, checked, counts });
    expect(text.split("\n").length).toBeLessThanOrEqual(25);
    for (const part of [
      "10000 goals, 4 stopped, 3 wait for a person",
      "and 9994 more: `loopx status --limit 100`",
      "Registry: m, line 2, 2 more: `loopx registry`",
      "9970 goals",
    ]) {
      expect(text).toContain(part);
    }
    for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it("E3: goes on behind the last row that was shown", () => {
    const views = Array.from({ length: 30 }, (_, at) => sampleView({ goal_id: goalId(`goal-${at}`) }));
    const payload = statusPayload(views, { extent: { kind: "limit", rows: 30 } });
    const all = statusPage(payload, { now: NOW, rows: "all" });
    for (const { goal_id } of views) expect(all.split(`\`${goal_id}\``)).toHaveLength(3);
    expect(all).not.toContain("more:");
    const first = statusPayload(views);
    const shown = first.goals.length;
    expect(statusPage(first, { now: NOW, rows: "all" })).toContain(
      `and ${30 - shown} more: \`loopx status --cursor goals.${shown}.goal-${shown - 1}\``,
    );
  });

  it("shows one row more where the line that tells of it would take its place", () => {
    const views = Array.from({ length: 6 }, (_, at) => sampleView({ goal_id: goalId(`goal-${at}`) }));
    expect(status(views)).not.toContain("more:");
    expect(cells(status(views))).toContain("| goal-5 | an agent |");
    const hidden = statusPage({ ...statusPayload([]), goals: [{ goal_id: "x" }] }, { now: NOW, rows: "all" });
    expect(hidden).toContain("| `x` | - | - | - | - | - |");
  });

  it("tells a small project at a glance, attention first, and ends with what to type", () => {
    const gate = sampleTodo({ todo_id: "todo_gate", text: "Approve the schema", task_class: "user_gate", since: later(-72) });
    const text = status([
      sampleView({ open_user_todos: [gate], todo_counts: { open: 2, blocked: 0, deferred: 0, done: 0, waiting_for_person: 1 } }),
      sampleView({ goal_id: goalId("orchard"), activation: { kind: "stopped", reason: "", since: null } }),
    ]);
    expect(text.indexOf("Approve the schema")).toBeLessThan(text.indexOf("Water the tomatoes"));
    expect(cells(text)).toContain("| garden | a person | Approve the schema | 3 d |");
    expect(cells(text)).toContain("| orchard (stopped) | 1 | Water the");
    expect(text.trimEnd().split("\n").at(-1)).toBe("Next: `loopx goal show --goal-id garden`");
  });

  it.each<[string, string, string]>([
    ["no goal", status([]), 'Next: `loopx init --objective "What is to be reached"`'],
    [
      "nothing on the page",
      status([], {
        counts: { goals: 3, runs: 0, attention: 0, waiting_for_person: 0, open_todos: 0, waiting_todos: 0, stopped: 0 },
      }),
      "Next: `loopx goal list`",
    ],
    [
      "a repair that is safe",
      status([
        withRuns(
          { latest: [sampleRun({ recommended_action: "Order new chairs." })] },
          { next_action: { entries: ["Water the tomatoes."], since: NOW }, open_agent_todos: [] },
        ),
      ]),
      "Next: `loopx refresh --goal-id garden`",
    ],
    ["nobody is needed", status([sampleView({ open_agent_todos: [] })]), "Next: `loopx goal show --goal-id garden`"],
    [
      "a goal that does not say how to begin",
      status([sampleView({ next_action: null, open_agent_todos: [] })]),
      "Next: `loopx refresh --goal-id garden --next-action 'What comes next'`",
    ],
  ])("ends with the right command: %s", (_, text, expected) => {
    expect(text).toContain(expected);
  });

  it("shows drift, archived goals, runs without a known time and shortened texts", () => {
    const archived = sampleView({
      goal_id: goalId("old"),
      lifecycle: { kind: "archived", since: NOW, target: "/a" },
      clock_stepped: { last_at: NOW },
    });
    const two = withRuns(
      { latest: [sampleRun({ at: null, generated_at: "some day" })] },
      { shares_state_file_with: ["a"], cadence_ms: 1 },
    );
    const never = sampleView({ goal_id: goalId("never"), next_action: { entries: ["x".repeat(9000)], since: NOW } });
    const views = [archived, two, never, withRuns({ latest: [sampleRun({ at: null, generated_at: null })] })];
    const text = statusPage(statusPayload(views), { now: NOW, rows: "all" });
    for (const part of [
      "`old` (archived)",
      "clock_stepped |",
      "state_file_shared +1",
      "state_refreshed, some day",
      "Some texts are shortened",
    ]) {
      expect(text).toContain(part);
    }
    for (const part of ["| old (archived) |", "| clock |", "| shared file +1 |", "| some day |"]) {
      expect(cells(status(views))).toContain(part);
    }
    expect(cells(status([sampleView()], { fields: ["goal_id"] }))).toContain("| garden | - | - | - | - |");
    const crowded = { goal_id: "crowded", left_out: { texts: 1, drift: 2, problems: 0, todos: 0 } };
    expect(cells(statusPage({ ...statusPayload([]), goals: [crowded] }, { now: NOW, rows: "screen" }))).toContain(
      "| crowded | - | - | - | 2 |",
    );
    const vague = { checked: { now: 1, earlier: 1, oldest: null }, problems: [{ code: "c", message: "m" }] };
    expect(status([sampleView()], vague)).toContain("Registry: m: `loopx registry`\n1 goal not looked at this time: ");
    expect(status([sampleView()], { problems: [{ path: "/r", code: "c", message: "m" }] })).toContain(
      "Registry: m: `loopx registry`",
    );
  });
});
