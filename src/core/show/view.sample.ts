/** A healthy goal for tests, to be changed where a test wants it otherwise, and a generator of hostile ones. */
import fc from "fast-check";
import type { GoalId } from "../id.ts";
import { parseGoalId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { addMilliseconds, instantFromEpoch, parseInstant } from "../instant.ts";
import type { RunSummary } from "../runs/run.ts";
import type { GoalView, ShownTodo } from "./view.ts";

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === null) throw new Error(`${text} is no time`);
  return parsed;
}

export function goalId(text: string): GoalId {
  const parsed = parseGoalId(text);
  if (!parsed.ok) throw new Error(`${text} ${parsed.flaw.message}`);
  return parsed.id;
}

export const NOW: Instant = instant("2026-03-10T12:00:00Z");

export function sampleRun(change: Partial<RunSummary> = {}): RunSummary {
  const at = change.at === undefined ? instant("2026-03-09T08:00:00Z") : change.at;
  return {
    generated_at: at,
    at,
    goal_id: "garden",
    classification: "state_refreshed",
    recommended_action: "Water the tomatoes before noon.",
    origin: "journal",
    position: 1,
    ...change,
  };
}

export function sampleTodo(change: Partial<ShownTodo> = {}): ShownTodo {
  return { todo_id: "todo_tomato", text: "Water the tomatoes before noon", priority: 1, ...change };
}

export function sampleView(change: Partial<GoalView> = {}): GoalView {
  return {
    goal_id: goalId("garden"),
    registered: true,
    display_name: null,
    domain: null,
    declared_status: "active",
    registered_agents: ["alice"],
    activation: { kind: "active" },
    lifecycle: { kind: "active" },
    state_file: {
      kind: "read",
      path: "/home/p/garden/ACTIVE_GOAL_STATE.md",
      sha256_16: "0123456789abcdef",
      changed_at: instant("2026-03-08T10:00:00Z"),
      updated_at: null,
    },
    shares_state_file_with: [],
    next_action: { entries: ["Water the tomatoes before noon."], since: instant("2026-03-08T10:00:00Z") },
    objective: "A garden that feeds us",
    todo_counts: { open: 1, blocked: 0, deferred: 0, done: 2, waiting_for_person: 0 },
    open_agent_todos: [sampleTodo()],
    open_user_todos: [],
    unregistered_claims: [],
    conflicts: [],
    withheld: [],
    runs: {
      count: 1,
      foreign_count: 0,
      latest: [sampleRun()],
      last_activity_at: instant("2026-03-09T08:00:00Z"),
      missing_artifacts: [],
      foreign_writer: null,
      damage_count: 0,
    },
    cadence_ms: null,
    clock_stepped: null,
    moved_root: null,
    problems: [],
    problem_count: 0,
    gathered_at: NOW,
    ...change,
  };
}

export function withRuns(change: Partial<GoalView["runs"]>, rest: Partial<GoalView> = {}): GoalView {
  const view = sampleView(rest);
  return { ...view, runs: { ...view.runs, ...change } };
}

const BASE = 1_773_144_000_000;

export const anyInstant: fc.Arbitrary<Instant> = fc
  .integer({ min: -40, max: 40 })
  .map((hours) => instantFromEpoch(BASE + hours * 3_600_000) ?? NOW);

/** Short, long, and made to hurt: controls, direction marks, halves of surrogate pairs, Markdown, wide letters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "\u001b[2J\u001b]52;c;x\u0007", "\u202egnp.exe", "| a | `b` | <c> [d](e)", "\ud800", "等待用户批准发布"),
  fc.constantFrom("\u0001", "字", "🙂", "a b ", '"\\').map((unit) => unit.repeat(3000)),
);

const anyGoalId: fc.Arbitrary<GoalId> = fc.stringMatching(/^g[a-z0-9_-]{0,60}$/).map(goalId);
const anyCount = fc.nat({ max: 3 });

const anyTodo: fc.Arbitrary<ShownTodo> = fc.record(
  {
    todo_id: fc.stringMatching(/^todo_[a-z0-9]{3,64}$/),
    text: anyText,
    priority: fc.constant(null),
    claimed_by: anyText,
    since: anyInstant,
  },
  { requiredKeys: ["todo_id", "text", "priority"] },
);

const anyRun: fc.Arbitrary<RunSummary> = fc
  .record({
    at: fc.option(anyInstant),
    classification: anyText,
    recommended_action: anyText,
    agent_id: anyText,
    json_path: anyText,
  })
  .map((run) => sampleRun(run));

const anyStateFile: fc.Arbitrary<GoalView["state_file"]> = fc.oneof(
  fc.record({ path: anyText, changed_at: anyInstant }).map((file) => ({
    ...file,
    kind: "read" as const,
    sha256_16: "0123456789abcdef",
    updated_at: null,
  })),
  fc.record({ path: anyText, since: anyInstant }).map((file) => ({ ...file, kind: "missing" as const })),
  fc.record({ path: anyText, since: anyInstant, message: anyText }).map(({ message, ...file }) => ({
    ...file,
    kind: "unreadable" as const,
    problem: { code: "state_file_not_utf8", message, line: 3 },
  })),
  anyInstant.map((since) => ({ kind: "not_declared" as const, since })),
);

const anyRuns: fc.Arbitrary<GoalView["runs"]> = fc.record({
  count: anyCount,
  foreign_count: anyCount,
  latest: fc.array(anyRun, { maxLength: 6 }).map((runs) => runs.toSorted((a, b) => ((a.at ?? "") < (b.at ?? "") ? 1 : -1))),
  last_activity_at: fc.option(anyInstant),
  missing_artifacts: fc.array(fc.record({ generated_at: anyText, paths: fc.array(anyText, { maxLength: 2 }) }), { maxLength: 3 }),
  foreign_writer: fc.option(fc.record({ since: anyInstant, generated_at: anyText })),
  damage_count: anyCount,
});

export const anyView: fc.Arbitrary<GoalView> = fc
  .record({
    goal_id: anyGoalId,
    registered: fc.boolean(),
    display_name: fc.option(anyText),
    activation: fc.oneof(
      fc.constant({ kind: "active" as const }),
      anyInstant.map((since) => ({ kind: "invalid" as const, since })),
      fc.record({ kind: fc.constant("stopped" as const), reason: anyText, since: fc.option(anyInstant) }),
    ),
    lifecycle: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ kind: "active" as const }) },
      fc.record({ kind: fc.constant("archived" as const), since: anyInstant, target: anyText }),
    ),
    state_file: anyStateFile,
    next_action: fc.option(fc.record({ entries: fc.array(anyText, { maxLength: 3 }), since: anyInstant })),
    objective: anyText,
    shares_state_file_with: fc.array(anyText, { maxLength: 3 }),
    todo_counts: fc.record({
      open: anyCount,
      blocked: anyCount,
      deferred: anyCount,
      done: anyCount,
      waiting_for_person: anyCount,
    }),
    open_agent_todos: fc.array(anyTodo, { maxLength: 5 }),
    open_user_todos: fc.array(anyTodo, { maxLength: 5 }),
    unregistered_claims: fc.array(anyTodo, { maxLength: 5 }),
    conflicts: fc.array(fc.record({ field: anyText, ours: anyText, theirs: anyText, since: anyInstant }), { maxLength: 3 }),
    withheld: fc.array(
      fc.record({
        kind: fc.constantFrom("todo_missing" as const, "file_shrunk" as const, "heading_missing" as const),
        todo_ids: fc.array(fc.constant("todo_abc"), { maxLength: 9 }),
        since: anyInstant,
      }),
      { maxLength: 2 },
    ),
    runs: anyRuns,
    cadence_ms: fc.option(fc.constantFrom(1_800_000, 3_600_000, 86_400_000)),
    problems: fc.array(fc.record({ path: anyText, line: fc.nat(), code: fc.constant("x"), message: anyText }), { maxLength: 20 }),
  })
  .map((parts) => sampleView({ ...parts, problem_count: parts.problems.length }));

export function later(hours: number): Instant {
  return addMilliseconds(NOW, hours * 3_600_000);
}
