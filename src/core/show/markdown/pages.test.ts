import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildGoalShow } from "../goal-show.ts";
import { anyText, anyView, instant, later, NOW, sampleRun, sampleTodo, sampleView, withRuns } from "../view.sample.ts";
import { archivesPage } from "./archives.ts";
import { driftPage } from "./drift.ts";
import { goalPage } from "./goal.ts";
import { drift, history, roots, status } from "./pages.sample.ts";

const FORBIDDEN = ["\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f", "\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"].join(
  "",
);
const HOSTILE = new RegExp(`[${FORBIDDEN}]|[\\ud800-\\udfff]`, "u");
/** Cells of the table's lines, a `\|` being no border. */
function columns(text: string): readonly number[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.map((line) => line.replace(/\\./g, "").split("|").length);
}

/** Tables without the blanks that line their columns up. */
function cells(text: string): string {
  return text.replace(/ +\|/g, " |");
}

describe("the other pages", () => {
  it("history tells ages, the future, lost files and damage", () => {
    const text = history(["a"], {
      goal_filter: "garden",
      runs: [
        {
          generated_at: later(2),
          goal_id: "garden",
          classification: "c",
          recommended_action: "Sow",
          origin: "journal",
          future: true,
        },
        { generated_at: later(-2), classification: 7, origin: "foreign", json_exists: false },
      ],
      goals: [
        {
          id: "garden",
          activation_state: "active",
          display_name: null,
          domain: null,
          status: null,
          registry_member: true,
          legacy_runtime_goal: false,
          raw_index_records: 2,
          unique_runs: 1,
          damage_count: 1,
        },
      ],
    });
    expect(cells(text)).toContain("| in 2 h (future) | garden | c | Sow | - |");
    expect(cells(text)).toContain("| 2 h | - | - | - (its file is gone) | - |");
    expect(text).toContain("1 line of the run index");
    expect(text).toContain("1 older run not shown");
    expect(history([], { run_count: 0, left_out: { runs: 0, goals: 0, texts: 0, fields: 0, cursor: null, get: [] } })).toContain(
      "No run yet.",
    );
  });

  it("drift shows both sides, the age and the fix", () => {
    const view = sampleView({
      conflicts: [{ field: "next_action", ours: "Mine", theirs: "Yours", since: later(-5) }],
      shares_state_file_with: ["orchard"],
    });
    const text = driftPage(drift([view]), { now: NOW, rows: "all" });
    for (const part of [
      "# Drift: 2 entries",
      "**plan_conflict** (action, 5 h ago, next_action)",
      "declared: Yours",
      "observed: Mine",
      "fix: `loopx drift --goal-id garden --fix`",
      "8 goals not looked at yet",
    ]) {
      expect(text).toContain(part);
    }
    expect(driftPage(drift([sampleView({ shares_state_file_with: ["orchard"] })]), { now: NOW, rows: "all" })).toContain(
      "Next: `loopx status`",
    );
    const apart = withRuns(
      { latest: [sampleRun({ recommended_action: "Order new chairs." })] },
      { next_action: { entries: ["Water the tomatoes."], since: instant("2026-01-01") } },
    );
    expect(driftPage(drift([apart]), { now: NOW, rows: "all" })).toContain(
      "fix: if you agree: `loopx refresh --goal-id garden --next-action 'Order new chairs.'`",
    );
    const safe = sampleView({ withheld: [{ kind: "todo_missing", todo_ids: ["todo_abc"], since: NOW }] });
    expect(driftPage(drift([safe]), { now: NOW, rows: "all" })).toContain("Next: `loopx drift --fix`");
    expect(
      driftPage(
        { ...drift([sampleView()]), left_out: { goals: 0, entries: 0, texts: 0, cursor: null, get: [] } },
        { now: NOW, rows: "all" },
      ),
    ).toBe("# No drift in 9 goals\n\nNext: `loopx status`\n");
  });

  it("D1: a screen of drift has at most 24 lines, and says how to see the rest", () => {
    const views = Array.from({ length: 9 }, () => sampleView({ shares_state_file_with: ["x".repeat(300)] }));
    const payload = drift(views);
    const page = driftPage({ ...payload, left_out: { ...payload.left_out, goals: 3 } }, { now: NOW, rows: "screen" });
    expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    expect(page).toContain("- 5 entries more: `loopx drift --limit 1000`");
    const cut = { goals: 0, entries: 0, texts: 1, cursor: null, get: ["loopx drift --all"] };
    expect(driftPage({ ...payload, left_out: cut }, { now: NOW, rows: "all" })).toContain(
      "- some texts are shortened: `loopx drift --all`",
    );
  });

  it("D2: what --fix did stands first, what it could not do too, and the rest is counted", () => {
    const fixed = Array.from({ length: 8 }, (_, at) => ({
      goal_id: "garden",
      kind: "todo_missing",
      outcome: at === 0 ? ("not_fixed" as const) : ("fixed" as const),
      message: "m",
    }));
    const page = driftPage({ ...drift([sampleView()]), fixed }, { now: NOW, rows: "screen" });
    expect(page).toMatch(/^# Repaired: 7\n\n- could not fix: `garden` todo_missing: m\n/);
    expect(page).toContain("- and 2 more\n");
    expect(driftPage({ ...drift([sampleView()]), fixed }, { now: NOW, rows: "all" })).not.toContain("and 2 more");
    const rehearsed = fixed.map((entry) => ({ ...entry, outcome: "would_fix" as const }));
    const preview = driftPage({ ...drift([sampleView()]), fixed: rehearsed }, { now: NOW, rows: "all" });
    expect(preview).toMatch(/^# Would be repaired: 8\n[\s\S]*Next: `loopx drift --fix`\n$/);
  });

  it("goal shows what there is, and only that", () => {
    const full = withRuns(
      { latest: [sampleRun({ at: later(1) }), sampleRun()] },
      {
        display_name: "The garden",
        registered: false,
        shares_state_file_with: ["orchard"],
        activation: { kind: "stopped", reason: "winter", since: later(-48) },
        open_user_todos: [sampleTodo({ claimed_by: "bob" })],
        problems: [
          { path: "/p", line: 4, code: "c", message: "odd" },
          { path: "/q", code: "c", message: "odder" },
          { code: "c", message: "oddest" },
        ],
        problem_count: 3,
        clock_stepped: { last_at: instant("2026-04-01") },
      },
    );
    const text = goalPage(buildGoalShow({ ...roots, view: full, now: NOW }), NOW);
    for (const part of [
      "# The garden",
      "not in the registry",
      "stopped (winter, 2 d ago)",
      "claimed by bob",
      "clock_stepped",
      "odd (`/p`, line 4)",
      "odder (`/q`)",
      "- oddest",
      "1 run dated in the future",
      "Next: `loopx status`",
    ]) {
      expect(text).toContain(part);
    }
    const bare = sampleView({
      state_file: { kind: "not_declared", since: NOW },
      next_action: null,
      activation: { kind: "active" },
      objective: "",
      open_agent_todos: [],
    });
    const short = goalPage(buildGoalShow({ ...roots, view: { ...bare, runs: { ...bare.runs, latest: [] } }, now: NOW }), NOW);
    expect(short).toContain("# garden");
    expect(short).toContain("Waits for a person");
    expect(
      goalPage(
        buildGoalShow({ ...roots, view: sampleView({ activation: { kind: "stopped", reason: "x", since: null } }), now: NOW }),
        NOW,
      ),
    ).toContain("(x, -)");
  });

  it("a goal that does not say how to begin is told how", () => {
    const fresh = sampleView({ next_action: null, open_agent_todos: [] });
    expect(goalPage(buildGoalShow({ ...roots, view: fresh, now: NOW }), NOW)).toContain(
      "Next: `loopx refresh --goal-id garden --next-action 'What comes next'`",
    );
    const busy = goalPage(buildGoalShow({ ...roots, view: sampleView(), now: NOW }), NOW);
    expect(busy).toContain("Next: do it, then `loopx refresh --goal-id garden`");
    const quiet = sampleView({ open_agent_todos: [] });
    expect(goalPage(buildGoalShow({ ...roots, view: quiet, now: NOW }), NOW)).toContain("Next: `loopx status`");
  });

  it("archives end with the command that brings the newest back", () => {
    const archive = { goal_id: "garden", archived_at: later(-24), restored_at: null, archive_path: "/a/garden 1" };
    const text = archivesPage(
      { archives: [{ ...archive, restored_at: NOW }, archive], left_out: { get: ["loopx archives --all"] } },
      NOW,
    );
    expect(text).toContain(
      "- `garden`, archived 1 d ago, restored just now: `/a/garden 1`\n- `garden`, archived 1 d ago: `/a/garden 1`",
    );
    expect(text).toContain("Next: `loopx restore --goal-id garden --archive-path '/a/garden 1'` or `loopx archives --all`");
    expect(archivesPage({ archives: [], left_out: { get: [] } }, NOW)).toBe("# No archives\n\nNext: `loopx status`\n");
    expect(archivesPage({ archives: [{ ...archive, restored_at: NOW }], left_out: { get: [] } }, NOW)).toContain(
      "Next: `loopx status`",
    );
  });

  it("an item that waits for news says so", () => {
    const payload = buildGoalShow({ ...roots, view: sampleView(), now: NOW });
    const attention = payload.attention === null ? null : { ...payload.attention, waiting_on: "external_evidence" as const };
    expect(goalPage({ ...payload, attention }, NOW)).toContain("Waits for outside news");
    expect(goalPage(payload, NOW)).toContain("Waits for an agent");
  });

  it("E2: no page lets data move the cursor, turn the text or break a table", () => {
    fc.assert(
      fc.property(fc.array(anyView, { maxLength: 4 }), fc.array(anyText, { maxLength: 4 }), (views, texts) => {
        const pages = [
          status(views),
          history(texts),
          driftPage(drift(views), { now: NOW, rows: "all" }),
          archivesPage(
            {
              archives: texts.map((text) => ({ goal_id: text, archived_at: NOW, restored_at: null, archive_path: text })),
              left_out: { get: [] },
            },
            NOW,
          ),
          ...views.map((view) => goalPage(buildGoalShow({ ...roots, view, now: NOW }), NOW)),
        ];
        for (const text of pages) expect(text).not.toMatch(HOSTILE);
        for (const text of pages.slice(1, 2)) expect(new Set(columns(text)).size).toBeLessThanOrEqual(1);
        expect((pages[0] ?? "").split("\n").length).toBeLessThanOrEqual(25);
      }),
      { numRuns: 60 },
    );
  });
});
