import { expect, test } from "vitest";
import { done } from "../../core/result.ts";
import { decisionPayload } from "../../core/show/decision.ts";
import { shouldRunPayload } from "../../core/show/should-run.ts";
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
  [
    "quota should-run --goal-id g",
    "shouldRun",
    { goalId: "g", agentId: null, turnInstanceId: null, capabilities: [], runtimeProfile: null, detail: false },
  ],
  [
    "quota should-run --goal-id g --agent-id a --turn-instance-id t --available-capability x --runtime-profile codex_cli --include-detail all --scan-root r --scan-path p",
    "shouldRun",
    { goalId: "g", agentId: "a", turnInstanceId: "t", capabilities: ["x"], runtimeProfile: "codex_cli", detail: true },
  ],
  ["why --goal-id g --at 12", "why", { ...QUESTION, goalId: "g", at: "12" }],
  ["why-not todo_abc --goal-id g --at 12", "whyNot", { ...QUESTION, goalId: "g", todoId: "todo_abc", at: "12" }],
  [
    "next --goal-id g --at 2026-01-01T00:00:00Z",
    "next",
    { ...QUESTION, goalId: "g", turnInstanceId: null, seen: null, at: "2026-01-01T00:00:00Z" },
  ],
  ["history --goal-id g --at 3", "history", { goalId: "g", limit: null, cursor: null, all: false, at: "3" }],
  [
    "status --goal-id g --at 3",
    "status",
    {
      goalId: "g",
      agentId: null,
      limit: null,
      cursor: null,
      all: false,
      fields: [],
      cacheTtlSeconds: null,
      clearCache: false,
      at: "3",
    },
  ],
  ["quota status", "quotaStatus", { goalId: null, limit: null, cursor: null }],
  ["quota status --goal-id g --limit 3 --cursor c", "quotaStatus", { goalId: "g", limit: 3, cursor: "c" }],
  ["quota plan", "quotaPlan", undefined],
  [
    "evidence-log --goal-id g --agent-id a --todo-id todo_abc --since 2026-01-01 --limit 5 --thin",
    "evidenceLog",
    { goalId: "g", agentId: "a", todoId: "todo_abc", since: "2026-01-01", limit: 5, thin: true },
  ],
  ["diagnose --goal-id g --agent-id a", "diagnose", { ...QUESTION, goalId: "g", agentId: "a" }],
])("loopx %s asks for %s", async (line, use_case, request) => {
  const { calls, err } = await runFake([...line.split(" "), "--json"]);
  expect(err).toBe("");
  expect(calls).toEqual([{ use_case, request }]);
});

test("why-not needs a todo", async () => {
  const { exit, opened } = await runFake(["why-not", "--json"]);
  expect([exit, opened]).toEqual([2, 0]);
});

test("--turn-envelope prints only what a turn needs", async () => {
  const answer = shouldRunPayload({
    answer: decisionPayload(
      {
        act: "wait",
        why: "peers_own",
        because: "b has it",
        todo: null,
        tell: null,
        commands: ["loopx next"],
        wait: null,
        quota: null,
        warnings: [],
        token: "t",
      },
      { goal_id: "g", agent_id: "a" },
    ),
    todo: null,
    settings: null,
    spent: { slots: 0, tokens: 0, wall_ms: 0 },
    write_scope: [],
    explanation: null,
    runtime_profile: null,
    turn_instance_id: null,
  });
  const asked = ["quota", "should-run", "--goal-id", "g", "--turn-envelope", "--json"];
  const { out } = await runFake(asked, { answer: () => done(answer) });
  expect(JSON.parse(out)).toMatchObject({
    schema_version: "loopx_turn_envelope_v0",
    decision: "reassignment_required",
    action_signature: answer.action_signature,
  });
  expect(JSON.parse(out)).not.toHaveProperty("interaction_contract");
});
