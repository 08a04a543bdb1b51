import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driftOf } from "../drift/drift-of.ts";
import type { AttentionItem } from "./attention.ts";
import { attentionOf, rankOf, waitsForPerson } from "./attention.ts";
import type { AttentionRank } from "./rank.ts";
import { compareRanks, compareText, SEVERITY_ORDER } from "./rank.ts";
import { anyInstant, anyView, goalId, instant, later, NOW, sampleRun, sampleTodo, sampleView, withRuns } from "./view.sample.ts";
import type { GoalView } from "./view.ts";

const T1 = instant("2026-03-01T00:00:00Z");
const gate = sampleTodo({ todo_id: "todo_gate", text: "Approve the schema", task_class: "user_gate", since: T1 });
const errand = sampleTodo({ todo_id: "todo_errand", text: "Buy seeds", task_class: "user_action" });
const noTodos = { open: 0, blocked: 0, deferred: 0, done: 3, waiting_for_person: 0 };

function attend(view: GoalView): AttentionItem | null {
  return attentionOf(view, { drift: driftOf(view, NOW), now: NOW });
}

function waiting(...todos: GoalView["open_user_todos"]): Partial<GoalView> {
  return { open_user_todos: todos, todo_counts: { ...noTodos, open: 1 + todos.length, waiting_for_person: todos.length } };
}

describe("attentionOf", () => {
  it.each<[string, GoalView, Partial<AttentionItem> | null]>([
    [
      "open agent todos, since the last run",
      sampleView(),
      {
        status: "active_state_agent_todo",
        waiting_on: "codex",
        severity: "action",
        recommended_action: "Water the tomatoes before noon.",
        since: instant("2026-03-09T08:00:00Z"),
        fix: { command: "loopx goal show --goal-id garden", safe: true },
      },
    ],
    [
      "an agent todo without a Next Action",
      sampleView({ next_action: null }),
      { status: "active_state_agent_todo", recommended_action: "Water the tomatoes before noon" },
    ],
    [
      "a goal that never ran",
      withRuns({ count: 0, latest: [], last_activity_at: null }),
      { status: "connected_without_run", waiting_on: "codex", severity: "action", since: instant("2026-03-08T10:00:00Z") },
    ],
    [
      "a gate before other work, and before an errand",
      sampleView(waiting(errand, gate)),
      {
        status: "active_state_user_gate",
        waiting_on: "controller",
        severity: "action",
        since: T1,
        recommended_action: "Approve the schema",
      },
    ],
    [
      "a todo of a person",
      sampleView(waiting(sampleTodo())),
      { status: "active_state_user_todo", severity: "action", since: instant("2026-03-08T10:00:00Z") },
    ],
    ["an errand", sampleView(waiting(errand)), { status: "active_state_user_todo", waiting_on: "controller", severity: "watch" }],
    [
      "a goal that cannot be read, before its gate",
      sampleView({
        ...waiting(gate),
        state_file: { kind: "unreadable", path: "/p/S.md", since: T1, problem: { code: "x", message: "is not UTF-8", line: 4 } },
      }),
      { status: "state_file_unreadable", waiting_on: "user_or_controller", severity: "high", since: T1 },
    ],
    [
      "a folder that nobody registered",
      sampleView({ registered: false, state_file: { kind: "not_declared", since: T1 }, next_action: null, open_agent_todos: [] }),
      { status: "unregistered_runtime_goal", waiting_on: "controller", severity: "action", since: T1 },
    ],
    [
      "a run that went elsewhere is the agent's to put right",
      withRuns({ latest: [sampleRun({ recommended_action: "Order new chairs for the office." })] }),
      { status: "next_action_projection_mismatch", waiting_on: "codex", severity: "action" },
    ],
    [
      "Q4: words that sound like waiting",
      withRuns(
        { latest: [] },
        {
          next_action: { entries: ["Waiting for the owner's approval."], since: T1 },
          todo_counts: { ...noTodos, blocked: 1 },
          open_agent_todos: [],
        },
      ),
      { status: "waiting_without_user_todo", waiting_on: "codex", severity: "watch" },
    ],
    ["nothing left to do", sampleView({ next_action: null, open_agent_todos: [], todo_counts: noTodos }), null],
    [
      "a goal that only just has nothing and never ran",
      withRuns({ count: 0, latest: [] }, { next_action: null, open_agent_todos: [], todo_counts: noTodos }),
      null,
    ],
    [
      "another writer alone",
      withRuns(
        { foreign_writer: { since: T1, generated_at: T1 } },
        { next_action: null, open_agent_todos: [], todo_counts: noTodos },
      ),
      null,
    ],
    ["Q3: a stopped goal", sampleView({ ...waiting(gate), activation: { kind: "stopped", reason: "", since: null } }), null],
    ["Q3: an archived goal", sampleView({ ...waiting(gate), lifecycle: { kind: "archived", since: T1, target: "/a" } }), null],
  ])("%s", (_, view, expected) => {
    const item = attend(view);
    if (expected === null) expect(item).toBeNull();
    else expect(item).toMatchObject({ goal_id: "garden", ...expected });
  });

  it("Q1, Q2: nothing that could be said of the goal would stand before its item", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const item = attend(view);
        const drift = driftOf(view, NOW);
        if (item === null) return;
        const order = (severity: AttentionItem["severity"]): number => SEVERITY_ORDER.indexOf(severity);
        if (!waitsForPerson(item)) {
          expect(view.open_user_todos).toEqual([]);
          for (const entry of drift) expect(order(entry.severity)).toBeGreaterThanOrEqual(order(item.severity));
        }
        expect(attend(structuredClone(view))).toEqual(item);
      }),
    );
  });
});

describe("the order of the queue", () => {
  const rank: fc.Arbitrary<AttentionRank> = fc.record({
    waits_for_person: fc.boolean(),
    severity: fc.constantFrom(...SEVERITY_ORDER),
    since: anyInstant,
    goal_id: fc.oneof(fc.constantFrom("a", "b", "🙂", "\uffee"), fc.string()),
  });

  it("is total: antisymmetric, transitive, and equal only for equal ranks", () => {
    fc.assert(
      fc.property(rank, rank, rank, (a, b, c) => {
        expect(Math.sign(compareRanks(a, b))).toBe(-Math.sign(compareRanks(b, a)) + 0);
        if (compareRanks(a, b) <= 0 && compareRanks(b, c) <= 0) expect(compareRanks(a, c)).toBeLessThanOrEqual(0);
        if (compareRanks(a, b) === 0) expect(a).toEqual(b);
      }),
    );
  });

  it.each([
    ["a", "ab", -1],
    ["ab", "a", 1],
    ["", "", 0],
    ["\uffee", "🙂", -1],
  ])("text: %j against %j", (a, b, expected) => {
    expect(Math.sign(compareText(a, b))).toBe(expected);
  });

  it("text stands in the order of its code points", () => {
    const text = fc.array(fc.constantFrom("a", "b", "字", "\ue000", "\uffee", "🙂", "🌱", "\u{10ffff}"), { maxLength: 4 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const byUtf8 = Buffer.compare(Buffer.from(left.join("")), Buffer.from(right.join("")));
        expect(Math.sign(compareText(left.join(""), right.join("")))).toBe(byUtf8);
      }),
    );
  });

  it("puts people first, then severity, then age, then the id by code point", () => {
    const items = (["action", "high", "watch"] as const).flatMap((severity) =>
      [NOW, later(-5)].flatMap((since) =>
        ["🙂", "\uffee"].flatMap((id) =>
          (["codex", "controller"] as const).map((waiting_on) => ({
            ...(attend(sampleView({ goal_id: goalId(id) })) as AttentionItem),
            severity,
            since,
            waiting_on,
          })),
        ),
      ),
    );
    const ordered = items.toSorted((a, b) => compareRanks(rankOf(a), rankOf(b)));
    const told = ordered.slice(0, 5).map((item) => [item.waiting_on, item.severity, item.since, item.goal_id]);
    expect(told).toEqual([
      ["controller", "high", later(-5), "\uffee"],
      ["controller", "high", later(-5), "🙂"],
      ["controller", "high", NOW, "\uffee"],
      ["controller", "high", NOW, "🙂"],
      ["controller", "action", later(-5), "\uffee"],
    ]);
    expect(ordered.slice(12).every((item) => item.waiting_on === "codex")).toBe(true);
  });
});

describe("what the registry says of waiting", () => {
  const busy = withRuns(
    { count: 0, latest: [] },
    { open_agent_todos: [sampleTodo()], next_action: { entries: ["Go on"], since: NOW } },
  );
  const item = (view: GoalView): AttentionItem | null => attentionOf(view, { drift: [], now: NOW });

  it("Q5 stands in the place of agent work, with its own words", () => {
    const declared_wait = { waiting_on: "external_evidence", status: "vendor", action: "Wait for the vendor" };
    expect(item({ ...busy, declared_wait })).toMatchObject({
      status: "vendor",
      waiting_on: "external_evidence",
      severity: "watch",
      recommended_action: "Wait for the vendor",
    });
    expect(item({ ...busy, declared_wait: { ...declared_wait, waiting_on: "user_or_controller" } })).toMatchObject({
      waiting_on: "user_or_controller",
      severity: "action",
    });
  });

  it("Q5 a word that nobody knows says nothing", () => {
    const declared_wait = { waiting_on: "the moon", status: null, action: null };
    expect(item({ ...busy, declared_wait })).toMatchObject({ waiting_on: "codex", status: "connected_without_run" });
  });

  it.each([
    [{ kind: "demo_read_only_map_v0", status: "planned" }, "user_or_controller", "planned"],
    [{ kind: "other", status: "planned" }, "controller", "planned"],
    [{ kind: "other", status: "connected" }, "codex", "connected_without_run"],
  ])("a goal without a run whose adapter is %o waits for %s", (adapter, waiting_on, status) => {
    expect(item({ ...busy, adapter })).toMatchObject({ waiting_on, status });
  });
});
