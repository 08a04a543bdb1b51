import { expect, test } from "vitest";
import { NOW } from "../view.sample.ts";
import { whyNotPage, whyPage } from "./why.ts";

const at = { seq: 7, time: NOW };

test("why tells the rule, the facts with their places, and the next command", () => {
  const page = whyPage({
    ok: true,
    goal_id: "g",
    agent_id: "a",
    at,
    act: "run",
    why: "work",
    because: "todo_a is first",
    todo_id: "todo_a",
    rule: "work",
    facts: [
      { about: "todo", says: "todo_a is open", seq: 3 },
      { about: "quota", says: "1440 slots", file: "/p/registry.json" },
    ],
    passed: ["at-rest"],
    wait_until: null,
    then: ["loopx claim"],
    token: "t",
  });
  expect(page).toContain("# run: ");
  expect(page).toContain("(event 3)");
  expect(page).toContain("(`/p/registry.json`)");
  expect(page).toContain("Said nothing before it: `at-rest`");
  expect(page.trimEnd().endsWith("Next: `loopx claim`")).toBe(true);
});

test("why-not tells what would change it", () => {
  const page = whyNotPage({
    ok: true,
    goal_id: "g",
    agent_id: "a",
    at,
    todo: { todo_id: "todo_a", text: "Build", status: "open", claimed_by: null },
    may_be_done: false,
    code: "not_yet",
    message: "it waits",
    change: "that time comes",
    by: null,
    then: ["loopx next"],
  });
  expect(page).toContain("# Not now: Build");
  expect(page).toContain("what would change it: that time comes");
});
