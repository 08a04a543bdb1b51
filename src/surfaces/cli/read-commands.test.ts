import { expect, test } from "vitest";
import { runFake } from "./host.sample.ts";

const QUESTION = { goalId: null, agentId: null, instance: null, capabilities: [] };

test.each([
  ["why", "why", QUESTION],
  [
    "why --goal-id g --agent-id a --instance i --available-capability x,y",
    "why",
    { goalId: "g", agentId: "a", instance: "i", capabilities: ["x", "y"] },
  ],
  ["why-not todo_abc --goal-id g", "whyNot", { ...QUESTION, goalId: "g", todoId: "todo_abc" }],
  ["why-not --todo-id todo_abc", "whyNot", { ...QUESTION, todoId: "todo_abc" }],
])("loopx %s asks for %s", async (line, use_case, request) => {
  const { calls, err } = await runFake([...line.split(" "), "--json"]);
  expect(err).toBe("");
  expect(calls).toEqual([{ use_case, request }]);
});

test("why-not needs a todo", async () => {
  const { exit, opened } = await runFake(["why-not", "--json"]);
  expect([exit, opened]).toEqual([2, 0]);
});
