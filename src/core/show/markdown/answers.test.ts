import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../view.sample.ts";
import { activationPage, goalAddPage, goalRemovePage, initPage, type ShownInit } from "./edit.ts";
import { rebuildPage } from "./rebuild.ts";
import { refreshAllPage, refreshPage, type ShownRefresh } from "./refresh.ts";
import { registryPage, type ShownRegistry } from "./registry.ts";
import { restorePage } from "./restore.ts";
import { screenTable } from "./screen-table.ts";
import { fitted, widthOf } from "./width.ts";
import { prose } from "./words.ts";

const EDITED = { goal_id: "garden", changed: true, dry_run: false, registry: "/p/.loopx/registry.json", warnings: [] };
const INIT: ShownInit = {
  ...EDITED,
  created: { registry: EDITED.registry, goal: "garden", state_file: "/p/STATE.md", gitignore: "/p/.gitignore" },
  state_file: "/p/STATE.md",
  next_commands: ["loopx status", "loopx goal show --goal-id garden"],
};
const REFRESH: ShownRefresh = {
  goal_id: "garden",
  dry_run: false,
  idempotent_replay: false,
  classification: "state_refreshed",
  recommended_action: "Water the tomatoes.",
  generated_at: "2026-03-10T08:00:00+00:00",
  agent_id: null,
  json_path: "/r/a.json",
  warnings: [],
};
const REGISTRY: ShownRegistry = {
  registry: "/p/.loopx/registry.json",
  registry_source: "search",
  runtime_root: "/r",
  runtime_root_source: "registry",
  writable: "yes",
  goal_count: 2,
  status_counts: { active: 2 },
  problems: [],
  problem_count: 0,
};

function last(page: string): string {
  return page.trimEnd().split("\n").at(-1) ?? "";
}

describe("answers of commands that write", () => {
  it.each([
    ["init", initPage(INIT), "# This folder is a LoopX project", "Next: `loopx status` or `loopx goal show --goal-id garden`"],
    [
      "init again",
      initPage({ ...INIT, changed: false, created: { registry: false, goal: false, state_file: false, gitignore: false } }),
      "nothing changed",
      "Next: `loopx status` or",
    ],
    ["init --dry-run", initPage({ ...INIT, dry_run: true }), "nothing was written", "without `--dry-run`"],
    ["goal add without a file", goalAddPage({ ...EDITED, state_file: null, next_commands: [] }), "`garden`", "loopx status"],
    ["goal add", goalAddPage({ ...EDITED, state_file: "/p/S.md", next_commands: [] }), "`/p/S.md`", "Next: `loopx status`"],
    [
      "goal stop",
      activationPage({ ...EDITED, before: "active", activation: "stopped", reason: "winter" }, "no_dry_run"),
      "reason: `winter`",
      "loopx goal resume --goal-id garden",
    ],
    [
      "goal resume",
      activationPage({ ...EDITED, before: "stopped", activation: "active", reason: null }, "no_dry_run"),
      "active again",
      "loopx goal show",
    ],
    [
      "goal-lifecycle",
      activationPage({ ...EDITED, dry_run: true, before: "active", activation: "stopped", reason: null }, "execute"),
      "nothing was written",
      "Next: the same command with `--execute`",
    ],
    [
      "goal remove",
      goalRemovePage({
        ...EDITED,
        kept: { state_file: "/p/S.md", runtime: null },
        next_commands: ["loopx archive --goal-id garden"],
      }),
      "kept: `/p/S.md`",
      "Next: `loopx archive --goal-id garden`",
    ],
    ["refresh", refreshPage(REFRESH), "# Run recorded", "Next: `loopx status --goal-id garden`"],
    ["a turn again", refreshPage({ ...REFRESH, idempotent_replay: true, agent_id: "ann" }), "by ann", "loopx status"],
    [
      "refresh --dry-run",
      refreshPage({ ...REFRESH, dry_run: true, json_path: null }),
      "would be recorded",
      "without `--dry-run`",
    ],
    [
      "restore",
      restorePage({ goal_id: "garden", dry_run: false, archive_path: "/a b" }),
      "`/a b`",
      "Next: `loopx goal show --goal-id garden`",
    ],
    ["restore --dry-run", restorePage({ goal_id: "garden", dry_run: true, archive_path: "/a" }), "would be", "loopx restore"],
    ["rebuild", rebuildPage({ goal_count: 2, events: 9, different: 0 }), "everything was as it should be", "loopx status"],
    ["rebuild of a broken one", rebuildPage({ goal_count: 2, events: 9, different: 1 }), "1 goal put right", "loopx status"],
    ["registry", registryPage(REGISTRY), "(found from the current folder upwards)", "Next: `loopx goal list`"],
  ])("%s", (_, page, part, next) => {
    expect(page).toContain(part);
    expect(last(page)).toContain(next);
  });

  it("refresh --all names what moved and what was left alone, and counts the rest", () => {
    const refreshed = Array.from({ length: 12 }, (_, at) => ({ goal_id: `g${at}`, events: at + 1 }));
    const refused = [{ goal_id: "h", code: "goal_belongs_to", message: "belongs to another project" }];
    const page = refreshAllPage({ dry_run: false, goal_count: 20, refreshed, refused });
    for (const part of ["# 12 of 20 goals brought", "- `g0`: 1 change\n", "- and 2 goals more", "`h` was left alone: belongs"])
      expect(page).toContain(part);
    expect(refreshAllPage({ dry_run: true, goal_count: 20, refreshed, refused: [] })).toContain("Next: `loopx refresh --all`");
    expect(refreshAllPage({ dry_run: false, goal_count: 1, refreshed: [], refused: [] })).toContain("Up to date: 1 goal\n");
  });

  it("refresh --all counts the goals that it left alone", () => {
    const refused = Array.from({ length: 11 }, (_, at) => ({ goal_id: `g${at}`, code: "c", message: "m" }));
    expect(refreshAllPage({ dry_run: false, goal_count: 11, refreshed: [], refused })).toContain("- and 1 goal more");
  });

  it("a problem without a place is told as it is", () => {
    const warnings = [{ code: "c", message: "odd" }];
    expect(refreshPage({ ...REFRESH, warnings })).toContain("- odd\n");
  });

  it("words with an odd backtick are escaped whole", () => {
    expect(prose("a `b` c")).toBe("a `b` c");
    expect(prose("a `b")).toBe("a \\`b");
  });

  it("registry shows the first problems, and how to see all", () => {
    const problems = Array.from({ length: 12 }, () => ({ path: "/r.json", line: 4, code: "c", message: "odd" }));
    const page = registryPage({ ...REGISTRY, writable: "newer", goal_count: 0, status_counts: {}, problems, problem_count: 12 });
    for (const part of ["12 problems", "odd (`/r.json`, line 4)", "and 2 more: `loopx registry --json`", "read only"])
      expect(page).toContain(part);
    expect(last(page)).toContain("loopx init --objective");
  });
});

describe("the width of a terminal", () => {
  it.each([
    ["abc", 3],
    ["字", 2],
    ["e\u0301", 1],
    ["🙂", 2],
    ["…", 1],
  ])("W1: %j takes %d columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it("W2, K1: no text makes a line longer than 80 columns, nor a table another shape", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), fc.integer({ min: 4, max: 40 }), (texts, width) => {
        for (const text of texts) expect(widthOf(fitted(text, width))).toBeLessThanOrEqual(width);
        const rows = texts.map((text) => [fitted(text, 20), text, "3 d"]);
        const lines = screenTable({ head: ["goal", "to do", "since"], rows, flexible: 1 });
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
        for (const line of lines) expect(line.replace(/\\./g, "").split("|")).toHaveLength(5);
      }),
      { numRuns: 100 },
    );
  });

  it("takes - for nothing", () => {
    expect([fitted(null, 9), fitted("", 9)]).toEqual(["-", "-"]);
  });
});
