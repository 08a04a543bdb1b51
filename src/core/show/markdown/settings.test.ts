import { describe, expect, it } from "vitest";
import { PROFILES, type QuotaSettings } from "../../registry/quota-settings.ts";
import { configureGoalPage, type ShownConfigureGoal } from "./configure-goal.ts";
import { quotaSetPage, type ShownQuotaSet } from "./quota-set.ts";

const EDITED = { ok: true, goal_id: "garden", changed: true, registry: "/p/.loopx/registry.json" } as const;
const WRITTEN = { dry_run: false, execute: true, written: true };
const REHEARSED = { dry_run: true, execute: false, written: false };
const BEFORE: QuotaSettings = {
  profile: "interactive",
  compute: 1,
  window_hours: 24,
  slot_minutes: 1,
  allowed_slots: 1440,
  tokens: null,
  wall_minutes: null,
  limits: { ...PROFILES.interactive, max_open_todos: 0 },
};

describe("quota set", () => {
  const answer: ShownQuotaSet = {
    ...EDITED,
    ...WRITTEN,
    changed_fields: ["compute"],
    before: BEFORE,
    after: { ...BEFORE, compute: 0.5, allowed_slots: 720 },
    warnings: [{ code: "quota_no_slots", message: "`quota.compute` leaves no slot" }],
  };

  it("shows what counts now beside what counted, and marks what was set", () => {
    const page = quotaSetPage(answer);
    expect(page).toMatch(/^# The quota is set\n/);
    expect(page).toContain("| `compute` * | 0.5 | 1 |");
    expect(page).toContain("| `allowed_slots` | 720 | 1440 |");
    expect(page).toContain("| `tokens` | no cap | no cap |");
    expect(page).toContain("| `limits.max_open_todos` | no limit | no limit |");
    expect(page).toContain("leaves no slot");
    expect(page.trimEnd().split("\n").at(-1)).toBe("Next: `loopx goal show --goal-id garden`");
  });

  it("says what a rehearsal would do, and what was so already", () => {
    const rehearsed = quotaSetPage({ ...answer, ...REHEARSED });
    expect(rehearsed).toMatch(/^# The quota would be set \(nothing was written\)\n/);
    expect(rehearsed).toContain("Next: the same command without `--dry-run`");
    expect(quotaSetPage({ ...answer, changed: false })).toMatch(/^# The quota is so already: nothing changed\n/);
  });

  it("is for all goals, and has no past where that could not be understood", () => {
    const page = quotaSetPage({ ...answer, goal_id: null, before: null });
    expect(page).toContain("- goal: all goals, unless they say otherwise");
    expect(page).toContain("| `compute` * | 0.5 | - |");
    expect(page).toContain("Next: `loopx status`");
  });
});

describe("configure-goal", () => {
  const before = {
    quota: { compute: 1, window_hours: 24 },
    waiting_on: null,
    write_scope: [],
    registered_agents: ["alice"],
    agent_work_modes: {},
    left_out: 0,
  };
  const after = {
    ...before,
    agent_work_modes: { alice: "active" },
    quota: null,
    waiting_on: "codex",
    write_scope: ["src/**", "docs/**"],
  };
  const answer: ShownConfigureGoal = { ...EDITED, ...WRITTEN, changed_fields: ["write_scope"], before, after };

  it("shows what the registry says, and what it said where that differs", () => {
    expect(configureGoalPage(answer, "execute").split("\n")).toEqual([
      "# The goal is changed",
      "",
      "- goal: `garden`",
      "- registry: `/p/.loopx/registry.json`",
      "",
      "- quota: cannot be understood (was 1 of 24 h)",
      "- waits for: `codex` (was -)",
      "- write scope: `src/**`, `docs/**` (was -)",
      "- agents: `alice`",
      "- work modes: `alice=active` (was -)",
      "",
      "Next: `loopx goal show --goal-id garden`",
      "",
    ]);
  });

  it("says how a preview becomes the deed, and how much it leaves out", () => {
    const preview = { ...answer, ...REHEARSED, after: { ...after, left_out: 3 } };
    expect(configureGoalPage(preview, "execute")).toContain("Next: the same command with `--execute`");
    expect(configureGoalPage(preview, "no_dry_run")).toContain("Next: the same command without `--dry-run`");
    expect(configureGoalPage(preview, "execute")).toContain("3 entries more in the registry.");
    expect(configureGoalPage({ ...answer, changed: false }, "execute")).toMatch(/^# The goal is so already: nothing changed\n/);
  });
});
