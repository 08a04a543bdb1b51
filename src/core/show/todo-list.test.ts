import { expect, test } from "vitest";
import { id, todo } from "../goal/goal.sample.ts";
import { printJson } from "./print-json.ts";
import { buildTodoList } from "./todo-list.ts";

test.each(["g".repeat(128), "日".repeat(42), "g'".repeat(64)])("L1 at most 8 KiB with the longest ids: %s", (goal_id) => {
  const todos = Array.from({ length: 200 }, (_, n) => todo(`${"z".repeat(60)}${1000 + n}`, { text: "é".repeat(n * 40) }));
  const asked = ["--role", "agent", "--limit", "200"];
  const page = buildTodoList({ goal_id, todos, todo_count: 500, seen: 0, asked, problems: [] });
  expect(Buffer.byteLength(printJson(page))).toBeLessThanOrEqual(8192);
  expect(page.todos[0]?.todo_id).toBe(id(`${"z".repeat(60)}1000`));
  expect(page.todos.length).toBeGreaterThan(5);
  expect(page.left_out).toMatchObject({ todos: 500 - page.todos.length, cursor: `todos.${page.todos.length}.` });
});
