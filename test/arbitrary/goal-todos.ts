/** Todos of a small goal: few ids, so that they meet, and metadata that decides. */
import fc from "fast-check";
import type { TodoRecord, Units } from "../../src/core/events.ts";
import { type AgentId, parseAgentId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../../src/core/id.ts";

function made<T>(value: T | null): T {
  if (value === null) throw new Error("an id of the tests is no id");
  return value;
}

/** Names of properties that every object has are names like any other. */
export const AGENTS: readonly AgentId[] = ["a1", "b2", "constructor"].map((text) => made(parseAgentId(text)));
export const TURNS: readonly TurnId[] = ["t-1", "7", "__proto__", "constructor"].map((text) => made(parseTurnId(text)));
export const IDS: readonly TodoId[] = [..."abcdef"].map((letter) => made(parseTodoId(`todo_${letter}00`)));
export const RENAMED: readonly TodoId[] = ["todo_x00", "todo_y00"].map((text) => made(parseTodoId(text)));

export const someTodoId: fc.Arbitrary<TodoId> = fc.constantFrom(...IDS);
export const someAgent = fc.constantFrom(...AGENTS);
export const someTurn = fc.constantFrom(...TURNS);

export const someTurnOrNone: fc.Arbitrary<TurnId | null> = fc.option(someTurn);

export const someUnits: fc.Arbitrary<Units> = fc.record({
  slots: fc.nat(3),
  tokens: fc.nat(500),
  wall_ms: fc.nat(90_000),
});

const someList = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(of, { minLength: 1, maxLength: 2 }).map((words) => words.join(","));

const CONDITIONS = [
  "pr_merged:#1",
  "pr_merged:#2",
  "capacity_available:gpu",
  "2026-01-02T00:00:00Z",
  "at:2026-01-01T02:00:00Z",
  "never-heard-of",
];

const VALUES = {
  depends_on: someList(someTodoId),
  resume_when: fc.oneof(
    fc.constantFrom(...CONDITIONS),
    someTodoId.map((id) => `todo_done:${id}`),
  ),
  unblocks_todo_id: someList(someTodoId),
  blocks_agent: someList(someAgent),
  decision_scope: fc.constantFrom("direction:goal:x", "resource:lane:db"),
  required_decision_scopes: fc.constantFrom("direction:action:y", "resource:lane:db"),
  on_reject: fc.constant("reopen"),
  claimed_by: fc.constantFrom("a1", "B2", "Someone Else", "!"),
  excluded_agents: someAgent,
  no_followup: fc.constant("true"),
  next_due_at: fc.constantFrom("2026-01-01T03:00:00Z", "2026-01-03T00:00:00Z", "soon"),
  required_write_scopes: fc.constantFrom("src/**", "docs/a.md"),
  ["__proto__"]: fc.constant("kept"),
};

/** Keys that decide, a few at a time, and one that LoopX does not know. */
export const someMetadata: fc.Arbitrary<TodoRecord["metadata"]> = fc
  .tuple(fc.subarray(Object.keys(VALUES), { maxLength: 4 }), fc.record(VALUES))
  .map(([keys, values]) => Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key))));

const CLASSES = [null, "advancement_task", "continuous_monitor", "blocker"] as const;

export const someTodo: fc.Arbitrary<TodoRecord> = fc
  .record({
    todo_id: someTodoId,
    user: fc.nat(3).map((sides) => sides === 0),
    of_agent: fc.constantFrom(...CLASSES),
    of_user: fc.constantFrom("user_gate", "user_gate", "user_action"),
    status: fc.constantFrom("open", "open", "open", "deferred", "blocked", "done"),
    priority: fc.option(fc.nat(4)),
    index: fc.nat(5),
    archived: fc.nat(9).map((sides) => sides === 0),
    metadata: someMetadata,
  })
  .map(({ user, of_agent, of_user, todo_id, ...rest }) => ({
    todo_id,
    id_source: "metadata",
    role: user ? "user" : "agent",
    text: `Do ${todo_id}`,
    task_class: user ? of_user : of_agent,
    section: user ? "User Todo" : "Agent Todo",
    ...rest,
  }));
