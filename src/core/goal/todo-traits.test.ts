import { describe, expect, it } from "vitest";
import type { TodoRecord } from "../events.ts";
import { scopeCovers } from "./decision-scope.ts";
import { gate, todo } from "./goal.sample.ts";
import { linksOfTodo } from "./todo-links.ts";
import {
  cadenceOf,
  capabilitiesOf,
  coversByName,
  dueAtOf,
  excludedFrom,
  gateScopeOf,
  kindOf,
  namesContinuation,
  needsOf,
  ownerOf,
  wakeOf,
} from "./todo-traits.ts";
import { todosOfCommand } from "./todos-of-command.ts";
import { patternMatches, scopesOverlap, scopesWithin } from "./write-scope.ts";

const of = (metadata: TodoRecord["metadata"]): TodoRecord => todo("one", { metadata });

describe("what a todo is", () => {
  it.each([
    ["gate", { role: "user", task_class: "user_gate" }],
    ["action", { role: "user", task_class: "user_action" }],
    ["action", { role: "user", task_class: null }],
    ["work", { task_class: null }],
    ["work", { task_class: "never_heard_of" }],
    ["work", { task_class: "advancement_task", metadata: { action_kind: "monitor" } }],
    ["monitor", { task_class: "continuous_monitor" }],
    ["monitor", { task_class: null, metadata: { action_kind: "poll" } }],
    ["blocker", { task_class: "blocker" }],
  ] as const)("is %s for %j", (kind, fields) => expect(kindOf(todo("one", fields))).toBe(kind));

  it("T2 is not concluded from its words", () =>
    expect(kindOf(todo("one", { text: "Monitor the gate and wait for approval" }))).toBe("work"));

  it("T1 counts what cannot be understood as if it were not there", () => {
    expect(ownerOf(of({ claimed_by: "!" }))).toBeNull();
    expect(excludedFrom(of({ excluded_agents: "a1,,!, B2" }))).toEqual(["a1", "b2"]);
    expect(needsOf(of({ depends_on: "todo_abc, nonsense,todo_abc", resume_when: "todo_done:x" }))).toEqual(["todo_abc"]);
    expect(cadenceOf(of({ cadence: "soon" }))).toBeNull();
    expect(dueAtOf(todo("one", { task_class: "continuous_monitor", metadata: { next_due_at: "soon" } }))).toBeNull();
    expect(gateScopeOf(gate("ask", { blocks_agent: "!" }))).toEqual({ kind: "goal" });
  });

  it.each([
    ["30s", 30_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["1w", 604_800_000],
    ["0m", null],
  ] as const)("has a cadence of %s", (cadence, expected) => expect(cadenceOf(of({ cadence }))).toBe(expected));

  it("needs capabilities however they are spelled", () =>
    expect(capabilitiesOf(of({ required_capabilities: "GPU-large, browser" }))).toEqual(["gpu_large", "browser"]));

  it.each([
    [{ successor_todo_ids: "todo_two" }, true],
    [{ superseded_by: "todo_two" }, true],
    [{ no_followup: "true" }, true],
    [{ no_followup: "false" }, false],
    [{ successor_todo_ids: "" }, false],
  ])("%j says what comes next: %s", (metadata, expected) => expect(namesContinuation(metadata)).toBe(expected));
});

describe("what a todo waits for", () => {
  it.each([
    ["todo_done:todo_abc", { kind: "todo_done", todo_id: "todo_abc" }],
    ["capacity_available:GPU-x", { kind: "capacity_available", capability: "gpu_x" }],
    ["2026-01-01T10:00:00Z", { kind: "time", at: "2026-01-01T10:00:00.000Z" }],
    ["at:2026-01-01T10:00:00+01:00", { kind: "time", at: "2026-01-01T09:00:00.000Z" }],
    ["time:2026-01-01", { kind: "time", at: "2026-01-01T00:00:00.000Z" }],
    ["pr_merged:a/b#3", { kind: "polled", condition: "pr_merged:a/b#3" }],
    ["todo_done:?", { kind: "polled", condition: "todo_done:?" }],
    ["capacity_available:", { kind: "polled", condition: "capacity_available:" }],
    ["", null],
  ])("%s is understood", (resume_when, expected) => expect(wakeOf(of({ resume_when }))).toEqual(expected));
});

describe("what a gate is about", () => {
  it.each([
    [{ unblocks_todo_id: "todo_abc", blocks_agent: "a1" }, { kind: "todos" }],
    [
      { blocks_agent: "a1, B2", decision_scope: "x:goal:y" },
      { kind: "agents", agents: ["a1", "b2"] },
    ],
    [{ decision_scope: "x:goal:y" }, { kind: "decision", scope: "x:goal:y" }],
    [{ decision_scope: "x:goal:y", global_gate: "true" }, { kind: "goal" }],
    [{}, { kind: "goal" }],
  ])("%j", (metadata, expected) => expect(gateScopeOf(gate("ask", metadata))).toEqual(expected));

  it("names todos only when it is a gate", () => {
    const metadata = { unblocks_todo_id: "todo_abc,todo_def,?" };
    expect(coversByName(gate("ask", metadata))).toEqual(["todo_abc", "todo_def"]);
    expect(coversByName(of(metadata))).toEqual([]);
    expect(linksOfTodo(gate("ask", { ...metadata, depends_on: "todo_xyz" }))).toEqual([
      { todo_id: "todo_ask", needs_id: "todo_xyz" },
      { todo_id: "todo_abc", needs_id: "todo_ask" },
      { todo_id: "todo_def", needs_id: "todo_ask" },
    ]);
  });

  it.each([
    ["direction:goal:x", "direction:goal:x", true],
    ["direction:goal:x", "direction:action:y", true],
    ["direction:action:y", "direction:goal:x", false],
    ["direction:goal:x", "direction:goal:y", false],
    ["direction:goal:x", "resource:action:x", false],
    ["direction:moon:x", "direction:action:x", false],
    ["words", "words", true],
    ["words", "other", false],
  ])("C1 %s covers %s: %s", (outer, needed, expected) => expect(scopeCovers(outer, needed)).toBe(expected));
});

describe("scopes of writing", () => {
  it.each([
    [["src/a.ts"], ["src/a.ts"], true],
    [["src/a.ts"], ["src/b.ts"], false],
    [["src"], ["src/a.ts"], true],
    [["src/a.ts"], ["src/"], true],
    [["src/"], ["srcs/a.ts"], false],
    [["src/**"], ["src/core/a.ts"], true],
    [["src/core/a.ts"], ["src/*.ts"], true],
    [["src/**"], ["src/core/*.ts"], true],
    [["src/*.ts"], ["docs/**"], false],
    [["**"], ["anything"], true],
    [["*"], ["src/**"], true],
    [[], ["**"], false],
    [["src/a?.ts"], ["src/ab.ts"], true],
    [["src"], ["src/**"], true],
    [["src/core/*.ts"], ["src"], true],
    [["sr"], ["src/**"], false],
  ])("O1 %j and %j overlap: %s", (a, b, expected) => {
    expect(scopesOverlap(a, b)).toBe(expected);
    expect(scopesOverlap(b, a)).toBe(expected);
  });

  it("are within what is allowed, or all is", () => {
    expect(scopesWithin(["src/a.ts", "docs/**"], ["src/**", "docs/**"])).toBe(true);
    expect(scopesWithin(["src/a.ts", "test/a.ts"], ["src/**"])).toBe(false);
    expect(scopesWithin(["anything"], [])).toBe(true);
    expect(scopesWithin([], ["src/**"])).toBe(true);
    expect(scopesWithin(["src/core/**", "docs"], ["src/", "docs/**"])).toBe(true);
    expect(scopesWithin(["src"], ["src/core/**"])).toBe(false);
  });

  it.each([
    ["a*c*e", "abcde", true],
    ["a*c", "abcd", false],
    ["*.ts", "src/a.ts", true],
    ["a?", "a", false],
    ["", "", true],
  ])("%s matches %s: %s", (pattern, path, expected) => expect(patternMatches(pattern, path)).toBe(expected));
});

describe("the todos that a command needs", () => {
  it("C1 are those that it changes and those that it links anew", () => {
    const record = of({ depends_on: "todo_two", unblocks_todo_id: "todo_three" });
    const expected = { todos: ["todo_one", "todo_two", "todo_three"], needs_of: ["todo_two"] };
    const fence = { agent_id: null, turn_id: null, epoch: null, key: null, version: null };
    expect(todosOfCommand({ kind: "add-todo", todo: record })).toEqual(expected);
    const change = { kind: "change-todo", todo_id: record.todo_id, fence } as const;
    expect(todosOfCommand({ ...change, fields: { metadata: record.metadata } })).toEqual(expected);
    expect(todosOfCommand({ ...change, fields: { text: "x" } })).toEqual({ todos: ["todo_one"], needs_of: [] });
    expect(todosOfCommand({ ...change, fields: { task_class: "user_gate" } }).todos).toBe("all");
  });

  it("C1 are all for what a person edited or rejected, and none for what is about no todo", () => {
    const answer = { kind: "decide-gate", todo_id: gate("ask").todo_id, reason: "", by: "person", until: null } as const;
    expect(todosOfCommand({ ...answer, outcome: "reject" }).todos).toBe("all");
    expect(todosOfCommand({ ...answer, outcome: "approve" }).todos).toEqual(["todo_ask"]);
    expect(todosOfCommand({ kind: "accept-plan", changes: [], base: new Map() }).todos).toBe("all");
    expect(todosOfCommand({ kind: "clamp-leases" }).todos).toEqual([]);
    const turn = { todo_id: null, outcome: "wait", summary: "", observation: "", evidence: [] } as const;
    expect(todosOfCommand({ kind: "write-turn", turn }).todos).toEqual([]);
    expect(todosOfCommand({ kind: "write-turn", turn: { ...turn, todo_id: gate("ask").todo_id } }).todos).toEqual(["todo_ask"]);
    const units = { slots: 1, tokens: 0, wall_ms: 0 };
    const spend = { kind: "spend", turn_id: null, agent_id: null, units, source: "agent" } as const;
    expect(todosOfCommand({ ...spend, todo_id: null }).todos).toEqual([]);
    expect(todosOfCommand({ ...spend, todo_id: gate("ask").todo_id }).todos).toEqual(["todo_ask"]);
    expect(todosOfCommand({ kind: "wake-todo", todo_id: gate("ask").todo_id }).todos).toEqual(["todo_ask"]);
  });
});
