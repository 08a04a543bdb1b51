import { expect, test } from "vitest";
import { done } from "../../core/result.ts";
import { type LeasePayload, leasePayload } from "../../core/show/lease.ts";
import { NOW } from "../../core/show/view.sample.ts";
import { runFake } from "./host.sample.ts";

const PLAIN = {
  goalId: "g",
  agentId: null,
  todoId: "todo_abc",
  turnInstanceId: null,
  leaseEpoch: null,
  key: null,
  expectedVersion: null,
  dryRun: false,
};

const ANSWER: LeasePayload = leasePayload({
  goal_id: "g",
  todo_id: "todo_abc",
  lease: null,
  released: false,
  idempotent: true,
  changed: false,
  dry_run: false,
  now: NOW,
  warnings: [],
});

test.each([
  ["lease renew todo_abc --goal-id g", "leaseRenew", { ...PLAIN, ttlSeconds: null }],
  [
    "lease renew --goal-id g --todo-id todo_abc --agent-id a --lease-epoch 3 --expected-version 2 --idempotency-key k --ttl-seconds 9 --turn-instance-id t --dry-run",
    "leaseRenew",
    {
      ...PLAIN,
      agentId: "a",
      leaseEpoch: 3,
      expectedVersion: 2,
      key: "k",
      ttlSeconds: 9,
      turnInstanceId: "t",
      dryRun: true,
    },
  ],
  ["lease transfer todo_abc --goal-id g --to b --owner a", "leaseTransfer", { ...PLAIN, agentId: "a", to: "b" }],
  ["lease release todo_abc --goal-id g --lease-epoch 1", "leaseRelease", { ...PLAIN, leaseEpoch: 1 }],
  ["lease show todo_abc --goal-id g", "leaseShow", { goalId: "g", todoId: "todo_abc" }],
  ["lease list g --agent-id a --limit 2 --cursor c", "leaseList", { goalId: "g", agentId: "a", limit: 2, cursor: "c" }],
  [
    "task-lease acquire --goal-id g --todo-id todo_abc --owner a --idempotency-key k --ttl-seconds 60 --write-scope x --write-scope y --write-scope z",
    "leaseAcquire",
    {
      goalId: "g",
      agentId: "a",
      todoId: "todo_abc",
      turnInstanceId: null,
      instance: null,
      ttlSeconds: 60,
      capabilities: [],
      writeScopes: ["x", "y", "z"],
      key: "k",
    },
  ],
  [
    "task-lease renew --goal-id g --todo-id todo_abc --owner a --idempotency-key k --expected-version 1",
    "leaseRenew",
    { ...PLAIN, agentId: "a", key: "k", expectedVersion: 1, ttlSeconds: null },
  ],
  [
    "task-lease transfer --goal-id g --todo-id todo_abc --owner a --expected-version 1 --to b --idempotency-key n",
    "leaseTransfer",
    { ...PLAIN, agentId: "a", key: "n", expectedVersion: 1, to: "b" },
  ],
  [
    "task-lease release --goal-id g --todo-id todo_abc --owner a --idempotency-key k --expected-version 1",
    "leaseRelease",
    { ...PLAIN, agentId: "a", key: "k", expectedVersion: 1 },
  ],
  ["task-lease inspect --goal-id g --todo-id todo_abc", "leaseShow", { goalId: "g", todoId: "todo_abc" }],
])("loopx %s asks for %s", async (line, use_case, request) => {
  const { calls, err } = await runFake([...line.split(" "), "--json"], { answer: () => done(ANSWER) });
  expect(err).toBe("");
  expect(calls).toEqual([{ use_case, request }]);
});

test("task-lease prints the reference's record", async () => {
  const { out } = await runFake(["task-lease", "inspect", "--goal-id", "g", "--todo-id", "todo_abc", "--json"], {
    answer: () => done(ANSWER),
  });
  expect(JSON.parse(out)).toEqual({
    ok: true,
    goal_id: "g",
    todo_id: "todo_abc",
    lease: null,
    active: false,
    idempotent: true,
  });
});

test.each(["lease renew --goal-id g", "task-lease acquire --goal-id g --owner a", "lease transfer t --goal-id g"])(
  "loopx %s lacks something and is refused before anything is opened",
  async (line) => {
    const { exit, opened } = await runFake([...line.split(" "), "--json"]);
    expect([exit, opened]).toEqual([2, 0]);
  },
);

test("two names for the agent that acts are refused", async () => {
  const { exit, out } = await runFake([
    ..."lease renew t --goal-id g --owner a --agent-id b --lease-epoch 1".split(" "),
    "--json",
  ]);
  expect(exit).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ ok: false, code: "option_conflict" });
});
