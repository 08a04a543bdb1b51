import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentId, GoalId, TodoId, TurnId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { formatEventRef, parseEventRef } from "./event-ref.ts";
import { runMarkdown } from "./markdown.ts";
import { missingMirrors, namesIn } from "./mirror.ts";
import { indexRowText, runRecordText, spacedJson } from "./record.ts";
import { isNameOfStem, numberedStem, runStem } from "./stem.ts";
import { type RunEvent, summarise, summariseEvent } from "./summary.ts";

const STORE = { store_id: "s1" };
const PATHS = { json_path: "/r/goals/alpha/runs/a.json", markdown_path: "/r/goals/alpha/runs/a.md" };

const EVENT: RunEvent = {
  type: "run.recorded",
  goal_id: "alpha" as GoalId,
  generation: 1,
  seq: 7,
  at: parseInstant("2026-11-30T08:10:01.250Z") as Instant,
  data: {
    classification: "state_refreshed",
    recommended_action: "Prüfe den Parser.\u2028Dann weiter.",
    recommended_action_source: "active_state_next_action",
    health_check: "state_file 1/1; registry_goal 1/1; authority_sources 0",
    progress_scope: "goal",
    state: {
      path: "/p/ACTIVE_GOAL_STATE.md",
      sha256_16: "00112233aabbccdd",
      frontmatter: { status: "active", updated_at: "2026-08-01T09:00:00+00:00" },
      next_action: ["Prüfe den Parser."],
      recent_feedback: [],
      progress: ["- started"],
    },
  },
};

const FULL: RunEvent = {
  ...EVENT,
  agent_id: "codex-1" as AgentId,
  data: {
    ...EVENT.data,
    progress_scope: "agent_lane",
    delivery_batch_scale: "single_surface",
    delivery_outcome: "outcome_progress",
    todo_id: "todo_abc" as TodoId,
    turn_instance_id: "turn-1" as TurnId,
    state: null,
  },
};

describe("the index row (F1, F2)", () => {
  test("is one line in the reference's key order and separators, non-ASCII raw, line separators escaped", () => {
    expect(indexRowText(EVENT, { ...STORE, ...PATHS })).toBe(
      '{"generated_at": "2026-11-30T08:10:01+00:00", "goal_id": "alpha", "classification": "state_refreshed", ' +
        '"recommended_action": "Prüfe den Parser.\\u2028Dann weiter.", "recommended_action_source": "active_state_next_action", ' +
        '"health_check": "state_file 1/1; registry_goal 1/1; authority_sources 0", ' +
        '"json_path": "/r/goals/alpha/runs/a.json", "markdown_path": "/r/goals/alpha/runs/a.md", ' +
        '"state": {"sha256_16": "00112233aabbccdd", "frontmatter": {"updated_at": "2026-08-01T09:00:00+00:00"}}, ' +
        '"progress_scope": "goal", "loopx_event": "alpha/7", "loopx_store": "s1/1"}',
    );
  });

  test("holds what is known and nothing else", () => {
    const row: unknown = JSON.parse(indexRowText(FULL, { ...STORE, ...PATHS }));
    expect(row).toMatchObject({ agent_id: "codex-1", agent_lane: "codex-1", todo_id: "todo_abc", turn_instance_id: "turn-1" });
    expect(Object.keys(row as object).slice(-8)).toEqual([
      "delivery_batch_scale",
      "delivery_outcome",
      "turn_instance_id",
      "todo_id",
      "agent_id",
      "agent_lane",
      "loopx_event",
      "loopx_store",
    ]);
    expect(row).not.toHaveProperty("state");
  });

  test("names the lane that was given, and none for the whole goal", () => {
    const lane = { ...FULL, data: { ...FULL.data, agent_lane: "docs" } };
    expect(JSON.parse(indexRowText(lane, { ...STORE, ...PATHS }))).toMatchObject({ agent_id: "codex-1", agent_lane: "docs" });
    expect(runMarkdown(lane).split("\n")).toContain("- agent_lane: `docs`");
    const whole = { ...FULL, data: { ...FULL.data, progress_scope: "goal" as const } };
    expect(JSON.parse(indexRowText(whole, { ...STORE, ...PATHS }))).not.toHaveProperty("agent_lane");
  });

  test("says null where the front matter has no time", () => {
    const { state } = EVENT.data;
    const event = { ...EVENT, data: { ...EVENT.data, state: state === null ? null : { ...state, frontmatter: {} } } };
    expect(indexRowText(event, { ...STORE, ...PATHS })).toContain('"frontmatter": {"updated_at": null}');
  });

  test("spaced JSON is the same value as JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(spacedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(spacedJson([undefined, { a: undefined }])).toBe("[null, {}]");
  });

  test("is a row that summarises to the same run", () => {
    const row = JSON.parse(indexRowText(FULL, { ...STORE, ...PATHS }));
    const shown = summarise({ row, at: FULL.at, position: 7 }, FULL.goal_id);
    expect({ ...shown, origin: "journal" }).toEqual(summariseEvent(FULL, PATHS));
    expect(summariseEvent(EVENT)).toMatchObject({ state_sha256_16: "00112233aabbccdd", at: EVENT.at, position: 7 });
  });
});

describe("the full record (F1, F3)", () => {
  test("is indented JSON in the reference's key order that names its event", () => {
    const registry_goal = { present: true, domain: "demo", status: "active", adapter: null, authority_source_count: 0 };
    const text = runRecordText(EVENT, { ...STORE, registry_goal });
    expect(text.startsWith('{\n  "generated_at": "2026-11-30T08:10:01+00:00",\n')).toBe(true);
    expect(text.endsWith('  "loopx_store": "s1/1"\n}\n')).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual([
      "generated_at",
      "goal_id",
      "classification",
      "recommended_action",
      "recommended_action_source",
      "health_check",
      "state",
      "registry_goal",
      "progress_scope",
      "loopx_event",
      "loopx_store",
    ]);
    expect(Object.keys(JSON.parse(text).state)).toEqual([
      "path",
      "sha256_16",
      "frontmatter",
      "next_action",
      "recent_feedback",
      "progress",
    ]);
    expect(JSON.parse(runRecordText(FULL, STORE))).not.toHaveProperty("state");
  });
});

describe("the readable summary", () => {
  test("shows facts as the reference prints them and leaves out empty sections", () => {
    const lines = runMarkdown(EVENT).split("\n");
    expect(lines.slice(0, 4)).toEqual(["# LoopX State Refresh", "", "- ok: `True`", "- dry_run: `False`"]);
    expect(lines).toContain("- agent_id: `None`");
    expect(lines).toContain("## Progress");
    expect(lines).not.toContain("## Recent Feedback");
    expect(runMarkdown(FULL).split("\n")).toContain("- agent_lane: `codex-1`");
  });

  test("lets no control character through", () => {
    const text = runMarkdown({ ...EVENT, data: { ...EVENT.data, recommended_action: "a\u001b[2Jb\u0085c\nd" } });
    expect(text).toContain("a\\u001b[2Jb\\u0085c\nd");
  });
});

describe("summaries (P1)", () => {
  test("of rows of any shape never fail", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("generated_at", "goal_id", "classification", "state", "agent_id"), fc.jsonValue()),
        (row) => {
          const shown = summarise({ row, at: null, position: 0 }, "alpha" as GoalId);
          expect(typeof shown.classification).toBe("string");
          expect(shown.goal_id).not.toBe("");
        },
      ),
    );
    const odd = summarise({ row: { generated_at: 7, agent_id: ["x"], state: [] }, at: null, position: 3 }, "alpha" as GoalId);
    expect(odd).toMatchObject({ generated_at: "7", goal_id: "alpha", classification: "" });
    expect(odd).not.toHaveProperty("agent_id");
    expect(summarise({ row: { state: { sha256_16: "ab" } }, at: null, position: 0 }, "a" as GoalId).state_sha256_16).toBe("ab");
  });
});

describe("names (N1)", () => {
  test.each([
    ["2026-11-30T08:10:01+00:00", "2026-11-30T08-10-01-00-00"],
    ["2026-08-01T09:50:00Z", "2026-08-01T09-50-00Z"],
    ["  ../x  ", "x"],
    ["::", ""],
  ])("of %s is %s", (time, stem) => {
    expect(runStem(time)).toBe(stem);
  });

  test("count from the second on, and are recognised", () => {
    expect([1, 2, 3].map((n) => numberedStem("s", n))).toEqual(["s", "s-2", "s-3"]);
    expect(["s.json", "s-2.md", "s-10.json"].every((name) => isNameOfStem(name, "s"))).toBe(true);
    expect(["s-0.json", "s/../x.json", "s.txt", "t.json", "s-x.json"].some((name) => isNameOfStem(name, "s"))).toBe(false);
  });

  test("of events are read back, and nothing else is", () => {
    expect(parseEventRef(formatEventRef(EVENT))).toEqual({ goal_id: "alpha", seq: 7 });
    for (const text of [7, "alpha", "alpha/0", "alpha/01", "a/b/2", "alpha/2/", ""]) expect(parseEventRef(text)).toBeNull();
  });
});

describe("missing mirrors (M1, M2)", () => {
  const stem = runStem("2026-11-30T08:10:01+00:00");
  const row = { json_path: `/old/runtime/runs/${stem}-2.json`, markdown_path: `C:\\old\\runs\\${stem}-2.md` };

  test("a run without a row lacks everything", () => {
    expect(missingMirrors({ runs: [EVENT], own: [], has: () => true })).toEqual([
      { event: EVENT, lacks: ["row", "json", "markdown"], named: null },
    ]);
  });

  test("a run with a row lacks the files that its row names and that are not there", () => {
    const own = [{ event: "alpha/7", row }];
    const named = { json: `${stem}-2.json`, markdown: `${stem}-2.md` };
    expect(missingMirrors({ runs: [EVENT], own, has: () => true })).toEqual([]);
    expect(missingMirrors({ runs: [EVENT], own, has: (name) => name === named.json })).toEqual([
      { event: EVENT, lacks: ["markdown"], named },
    ]);
    expect(missingMirrors({ runs: [EVENT], own, has: () => false })).toMatchObject([{ lacks: ["json", "markdown"] }]);
  });

  test("names that are not the run's are never touched", () => {
    const own = [{ event: "alpha/7", row: { json_path: "/etc/passwd", markdown_path: null } }];
    expect(missingMirrors({ runs: [EVENT], own, has: () => false })).toEqual([]);
    expect(namesIn({ json_path: `${stem}.json` }, stem)).toBeNull();
  });
});
