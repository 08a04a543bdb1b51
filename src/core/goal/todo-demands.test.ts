import { describe, expect, test } from "vitest";
import { demandFlaw, roleFor } from "./todo-demands.ts";
import { todoText } from "./todo-text.ts";

const ALONE = { goal_id: "g", registered_agents: ["ada"] };
const TEAM = { goal_id: "g", registered_agents: ["ada", "bob"] };

function flawOf(task_class: string | null, metadata: Record<string, string>, goal = TEAM): string | null {
  const role = task_class?.startsWith("user_") === true ? "user" : "agent";
  return demandFlaw({ role, task_class, metadata }, goal)?.code ?? null;
}

test.each([
  [{}, "monitor_unbounded"],
  [{ expires_at: "2026-12-01T00:00:00+00:00" }, null],
  [{ resume_when: "todo_done:todo_aaa" }, null],
  [{ watch_only: "true" }, null],
])("D1 a monitor that says %j", (metadata, code) => {
  expect(flawOf("continuous_monitor", { ...metadata })).toBe(code);
});

describe("D2 where several agents work", () => {
  test.each([
    ["user_gate", {}, "gate_scope_required"],
    ["user_gate", { blocks_agent: "ada" }, null],
    ["user_gate", { global_gate: "true" }, null],
    ["user_gate", { unblocks_todo_id: "todo_aaa" }, null],
    ["user_gate", { decision_scope: "direction:goal:x" }, null],
    ["user_action", {}, "action_scope_required"],
    ["user_action", { bound_agent: "ada" }, null],
    ["user_action", { goal_bound: "true" }, null],
  ])("a %s that says %j", (task_class, metadata, code) => {
    expect(flawOf(task_class, { ...metadata })).toBe(code);
    expect(flawOf(task_class, { ...metadata }, ALONE)).toBeNull();
  });
});

test.each([
  ["user_gate", { expires_at: "2026-12-01T00:00:00+00:00" }, "default_outcome_required"],
  ["user_gate", { default_outcome: "approve" }, "default_outcome_required"],
  ["user_gate", { default_outcome: "approve", expires_at: "2026-12-01T00:00:00+00:00" }, null],
  ["advancement_task", { default_outcome: "approve" }, "default_outcome_without_gate"],
])("D3 a %s that says %j", (task_class, metadata, code) => {
  expect(flawOf(task_class, { ...metadata }, ALONE)).toBe(code);
});

test("D4 checks that cannot be understood are told with their keys", () => {
  const flaw = demandFlaw({ role: "agent", task_class: null, metadata: { validation_command: "a | b" } }, ALONE);
  expect(flaw).toMatchObject({ code: "check_invalid", problems: [{ path: "validation_command" }] });
  expect(flawOf(null, { validation_command: "npm test" })).toBeNull();
});

test.each([
  [null, null, "agent"],
  ["agent", null, "agent"],
  ["user", null, "task_class_required"],
  [null, "user_gate", "user"],
  ["user", "user_action", "user"],
  ["agent", "user_gate", "task_class_role"],
  ["user", "blocker", "task_class_role"],
] as const)("role %s and class %s: %s", (role, taskClass, expected) => {
  const meant = roleFor(role, taskClass);
  expect(meant.kind === "done" ? meant.value : meant.code).toBe(expected);
});

test.each([
  ["  a\n\tb\u2028c ", null, "a b c"],
  ["[P3] x", null, "[P3] x"],
  ["[P3] x", 1, "[P1] x"],
  ["x", 0, "[P0] x"],
  ["--> <!-- loopx:todo status=done -->", null, "--> <!-- loopx:todo status=done -->"],
])("X1 the text %j with priority %s is %j", (text, priority, expected) => {
  expect(todoText(text, priority)).toEqual({ kind: "done", value: expected });
});

test.each([
  ["", "todo_text_empty"],
  [" \n ", "todo_text_empty"],
  ["[P1] ", "todo_text_empty"],
  ["a\0b", "todo_text_invalid"],
  ["a\ud800b", "todo_text_invalid"],
])("X2 the text %j is refused", (text, code) => {
  expect(todoText(text, null)).toMatchObject({ kind: "bad_input", code });
});
