// What the commands about quota, evidence and caches ask for.
import { expect, test } from "vitest";
import { refuse } from "../../core/result.ts";
import { runFake } from "./host.sample.ts";

const SPEND = {
  goalId: "g",
  agentId: null,
  todoId: null,
  turnInstanceId: null,
  slots: null,
  tokens: null,
  wallMs: null,
  source: "heartbeat",
  dryRun: true,
};
const ADD = {
  goalId: "g",
  agentId: null,
  todoId: null,
  label: "L",
  command: null,
  exitCode: null,
  durationSeconds: null,
  output: null,
  outputFile: null,
  note: null,
  leaseEpoch: null,
  idempotencyKey: null,
  dryRun: false,
};
const CACHE = { kind: null, capability: null };

test.each([
  ["quota spend-slot --goal-id g", "quotaSpendSlot", SPEND],
  ["quota spend-slot --goal-id g --execute=false", "quotaSpendSlot", SPEND],
  [
    "quota spend-slot --goal-id g --agent-id a --todo-id t --turn-instance-id i --slots 2 --tokens 7 --wall-seconds 1.5 --source adapter --execute",
    "quotaSpendSlot",
    {
      goalId: "g",
      agentId: "a",
      todoId: "t",
      turnInstanceId: "i",
      slots: 2,
      tokens: 7,
      wallMs: 1500,
      source: "adapter",
      dryRun: false,
    },
  ],
  [
    "quota void-slot --goal-id g --void-generated-at T --reason-summary R --execute",
    "quotaVoidSlot",
    { goalId: "g", voidSeq: null, voidGeneratedAt: "T", reason: "R", dryRun: false },
  ],
  [
    "quota void-slot g --void-seq 7 --reason-summary R",
    "quotaVoidSlot",
    { goalId: "g", voidSeq: 7, voidGeneratedAt: null, reason: "R", dryRun: true },
  ],
  [
    "quota hold --goal-id g --agent-id a --until T --reason R",
    "quotaHold",
    { goalId: "g", agentId: "a", until: "T", minutes: null, reason: "R", dryRun: false },
  ],
  [
    "quota hold --goal-id g --agent-id a --minutes 30 --dry-run",
    "quotaHold",
    { goalId: "g", agentId: "a", until: null, minutes: 30, reason: null, dryRun: true },
  ],
  ["quota resume --goal-id g --agent-id a --reason R", "quotaResume", { goalId: "g", agentId: "a", reason: "R", dryRun: false }],
  [
    "verify t --goal-id g --agent-id a --turn-instance-id i --lease-epoch 3 --no-cache --dry-run",
    "verify",
    { goalId: "g", agentId: "a", todoId: "t", turnInstanceId: "i", leaseEpoch: 3, noCache: true, dryRun: true },
  ],
  [
    "verify",
    "verify",
    { goalId: null, agentId: null, todoId: null, turnInstanceId: null, leaseEpoch: null, noCache: false, dryRun: false },
  ],
  ["evidence add --goal-id g --label L", "evidenceAdd", ADD],
  [
    'evidence add --goal-id g --label L --agent-id a --todo-id t --command-json ["npm","test"] --exit-code -1 --duration-seconds 2.5 --output-file F --note N --lease-epoch 2 --idempotency-key K --dry-run',
    "evidenceAdd",
    {
      ...ADD,
      agentId: "a",
      todoId: "t",
      command: ["npm", "test"],
      exitCode: -1,
      durationSeconds: 2.5,
      outputFile: "F",
      note: "N",
      leaseEpoch: 2,
      idempotencyKey: "K",
      dryRun: true,
    },
  ],
  ["evidence add --goal-id g --label L --output O", "evidenceAdd", { ...ADD, output: "O" }],
  [
    "evidence list --goal-id g --todo-id t --limit 3 --cursor c",
    "evidenceList",
    { goalId: "g", todoId: "t", limit: 3, cursor: "c" },
  ],
  ["evidence show 7 --goal-id g --with-output", "evidenceShow", { goalId: "g", seq: 7, withOutput: true }],
  ["cache stats --kind verifier --capability net", "cacheStats", { kind: "verifier", capability: "net" }],
  [
    "cache prune --max-entries 5 --max-bytes 6 --older-than 1.5 --dry-run",
    "cachePrune",
    { ...CACHE, maxEntries: 5, maxBytes: 6, olderThanDays: 1.5, dryRun: true },
  ],
  ["cache clear --kind status", "cacheClear", { kind: "status", capability: null, dryRun: false }],
])("loopx %s asks for %s", async (line, use_case, request) => {
  const { calls, err } = await runFake([...line.split(" "), "--json"]);
  expect([err, calls[0]]).toEqual(["", { use_case, request }]);
});

test.each([
  "quota spend-slot",
  "quota spend-slot --goal-id g --dry-run --execute",
  "quota spend-slot --goal-id g --source nobody",
  "quota spend-slot --goal-id g --slots -1",
  "quota void-slot --goal-id g --void-seq 1",
  "quota void-slot --goal-id g --void-seq 0 --reason-summary R",
  "quota hold --goal-id g --minutes 1",
  "evidence add --goal-id g",
  "evidence add --goal-id g --label L --command-json npm",
  "evidence add --goal-id g --label L --command-json [1]",
  "evidence show --goal-id g",
  "evidence show seven --goal-id g",
  "cache prune --kind all",
])("loopx %s is bad input, before anything is opened", async (line) => {
  const { exit, opened } = await runFake([...line.split(" "), "--json"]);
  expect([exit, opened]).toEqual([2, 0]);
});

test("a check that fails is an answer with exit status 1", async () => {
  const payload = { ok: false, code: "checks_failed", checks: [] };
  const { exit, out } = await runFake(["verify", "--json"], { answer: async () => ({ kind: "done", value: payload }) });
  expect([exit, JSON.parse(out).code]).toEqual([1, "checks_failed"]);
});

test.each([
  ["over_quota", 1],
  ["spend_without_turn", 1],
  ["stale_epoch", 4],
])("%s ends with %i", async (code, status) => {
  const { exit } = await runFake(["quota", "spend-slot", "--goal-id", "g"], { answer: async () => refuse(code, "no") });
  expect(exit).toBe(status);
});
