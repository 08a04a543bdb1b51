// From the body of a write to what the use case is asked: every field arrives under its name in the library.
import { describe, expect, it } from "vitest";
import { done, refuse } from "../../../core/result.ts";
import { noOf, type SampleHttp, sampleHttp } from "../http.sample.ts";

const DONE = done({ ok: true, code: null, message: "" });

async function listening(): Promise<SampleHttp> {
  const http = await sampleHttp();
  http.sample.instead = () => DONE;
  return http;
}

const TURN = { agent_id: "a1", instance: "i1", available_capability: ["gpu", "browser"] };

const CLAIM = {
  ...TURN,
  todo_id: "todo_abc",
  turn_instance_id: "turn-1",
  idempotency_key: "key-1",
  ttl_seconds: 60,
  write_scope: "src/**",
  dry_run: true,
};

const CLAIMED = {
  goalId: "alpha",
  agentId: "a1",
  instance: "i1",
  capabilities: ["gpu", "browser"],
  todoId: "todo_abc",
  turnInstanceId: "turn-1",
  idempotencyKey: "key-1",
  ttlSeconds: 60,
  writeScopes: ["src/**"],
  dryRun: true,
};

const FINISH = {
  agent_id: "a1",
  todo_id: "todo_abc",
  turn_instance_id: "turn-1",
  summary: "It works",
  next: ["One", "Two"],
  no_follow_up: false,
  reason: "r",
  lease_epoch: 3,
  task_lease_idempotency_key: "key-1",
  task_lease_expected_version: 2,
  slots: 2,
  tokens: 100,
  wall_seconds: 1.5,
  no_cache: true,
};

const FINISHED = {
  goalId: "alpha",
  agentId: "a1",
  todoId: "todo_abc",
  turnInstanceId: "turn-1",
  summary: "It works",
  next: ["One", "Two"],
  noFollowUp: false,
  reason: "r",
  leaseEpoch: 3,
  leaseKey: "key-1",
  leaseVersion: 2,
  slots: 2,
  tokens: 100,
  wallMs: 1500,
  noCache: true,
  dryRun: false,
};

const LIMITS = { limit_open_todos: 1, limit_running_tasks: 2, limit_event_bytes: 0 };
const WRITER = { goalId: "alpha", todoId: "todo_abc", agentId: "a1", turnInstanceId: "turn-1", leaseEpoch: 2, dryRun: false };
const WRITES = { agent_id: "a1", turn_instance_id: "turn-1", lease_epoch: 2 };
const LEASE = { goalId: "alpha", todoId: "todo_abc", agentId: "a1", turnInstanceId: null, key: "k", dryRun: false };

describe("a write", () => {
  it.each<[string, object, string, object]>([
    ["/goals/alpha/claim", CLAIM, "claim", CLAIMED],
    ["/goals/alpha/done", FINISH, "done", FINISHED],
    ["/goals/alpha/next", { ...TURN, turn_instance_id: "turn-1" }, "next", { turnInstanceId: "turn-1", agentId: "a1" }],
    ["/goals/alpha/agents", { agent_id: "a1", require_new: true }, "agentAdd", { agentIds: ["a1"], requireNew: true }],
    [
      "/goals/alpha/quota",
      { compute: 0.5, wall_minutes: 10, ...LIMITS },
      "quotaSet",
      { compute: 0.5, wallMinutes: 10, tokens: null, limits: { max_open_todos: 1, max_running_tasks: 2, max_event_bytes: 0 } },
    ],
    [
      "/goals/alpha/todos",
      { text: "New", priority: 1, depends_on: "todo_abc", required_capability: ["gpu"], watch_only: false, agent_id: "a1" },
      "todoAdd",
      {
        goalId: "alpha",
        agentId: "a1",
        text: "New",
        priority: 1,
        status: null,
        words: { depends_on: ["todo_abc"], required_capabilities: ["gpu"], watch_only: false, note: null },
      },
    ],
    [
      "/goals/alpha/todos/todo_abc/update",
      { ...WRITES, text: "Other", clear_claim: true, note: "n", next: "More", next_user_todo: ["Look"], next_global_gate: true },
      "todoUpdate",
      {
        ...WRITER,
        text: "Other",
        priority: null,
        clearClaim: true,
        words: { note: "n" },
        next: { agent: ["More"], user: ["Look"], userWords: { global_gate: true }, noFollowUp: false },
      },
    ],
    [
      "/goals/alpha/todos/todo_abc/defer",
      { ...WRITES, until: "2027-01-10", reason: "r" },
      "todoSetStatus",
      { ...WRITER, status: "deferred", words: { resume_when: "2027-01-10", reason: "r", note: null } },
    ],
    ["/goals/alpha/todos/todo_abc/block", { ...WRITES, reason: "r" }, "todoSetStatus", { ...WRITER, status: "blocked" }],
    ["/goals/alpha/todos/todo_abc/reopen", WRITES, "todoSetStatus", { ...WRITER, status: "open" }],
    [
      "/goals/alpha/todos/todo_abc/complete",
      { ...WRITES, evidence: "e", decision_outcome: "approve", no_follow_up: true },
      "todoComplete",
      { ...WRITER, decisionOutcome: "approve", words: { evidence: "e" }, next: { noFollowUp: true } },
    ],
    [
      "/goals/alpha/todos/todo_abc/supersede",
      { ...WRITES, superseded_by: "todo_new", reason: "r" },
      "todoSupersede",
      { ...WRITER, supersededBy: "todo_new", words: { reason: "r" } },
    ],
    ["/goals/alpha/todos/archive-completed", { max_active_done: 3 }, "todoArchiveCompleted", { maxActiveDone: 3, dryRun: false }],
    [
      "/goals/alpha/gates",
      { text: "Ship?", unblocks_todo_id: "todo_abc", on_reject: "reopen" },
      "todoAdd",
      { role: "user", words: { task_class: "user_gate", unblocks_todo_id: ["todo_abc"], on_reject: "reopen" } },
    ],
    [
      "/goals/alpha/quota/spend-slot",
      { agent_id: "a1", turn_instance_id: "turn-1", wall_seconds: 2, tokens: 5 },
      "quotaSpendSlot",
      { agentId: "a1", todoId: null, turnInstanceId: "turn-1", slots: null, tokens: 5, wallMs: 2000, source: "heartbeat" },
    ],
    [
      "/goals/alpha/quota/void-slot",
      { void_seq: 7, reason_summary: "r" },
      "quotaVoidSlot",
      { voidSeq: 7, voidGeneratedAt: null, reason: "r", dryRun: false },
    ],
    ["/goals/alpha/quota/hold", { agent_id: "a1", minutes: 5 }, "quotaHold", { agentId: "a1", minutes: 5, until: null }],
    ["/goals/alpha/quota/resume", { agent_id: "a1", reason: "r" }, "quotaResume", { agentId: "a1", reason: "r" }],
    [
      "/goals/alpha/evidence",
      { label: "tests", command: ["npm", "test"], exit_code: 0, idempotency_key: "k", output: "ok" },
      "evidenceAdd",
      { label: "tests", command: ["npm", "test"], exitCode: 0, output: "ok", outputFile: null, idempotencyKey: "k" },
    ],
    [
      "/goals/alpha/todos/todo_abc/verify",
      { ...WRITES, no_cache: true },
      "verify",
      { goalId: "alpha", todoId: "todo_abc", turnInstanceId: "turn-1", leaseEpoch: 2, noCache: true },
    ],
    ["/poll", { dry_run: true }, "poll", { goalId: null, todoId: null, materialChange: null, dryRun: true }],
    [
      "/goals/alpha/poll",
      { todo_id: "todo_abc", result_hash: "h", material_change: false },
      "poll",
      { goalId: "alpha", todoId: "todo_abc", resultHash: "h", materialChange: false },
    ],
    ["/goals/alpha/gates/todo_abc/approve", { reason: "r" }, "gateDecide", { outcome: "approve", reason: "r", until: null }],
    ["/goals/alpha/gates/todo_abc/reject", { dry_run: true }, "gateDecide", { outcome: "reject", dryRun: true }],
    ["/goals/alpha/gates/todo_abc/defer", { until: "2027-01-10" }, "gateDecide", { outcome: "defer", until: "2027-01-10" }],
    [
      "/goals/alpha/todos/todo_abc/lease/renew",
      { agent_id: "a1", idempotency_key: "k", expected_version: 2, ttl_seconds: 5 },
      "leaseRenew",
      { ...LEASE, leaseEpoch: null, expectedVersion: 2, ttlSeconds: 5 },
    ],
    [
      "/goals/alpha/todos/todo_abc/lease/transfer",
      { agent_id: "a1", idempotency_key: "k", lease_epoch: 7, to: "a2" },
      "leaseTransfer",
      { ...LEASE, leaseEpoch: 7, expectedVersion: null, to: "a2" },
    ],
    [
      "/goals/alpha/todos/todo_abc/lease/release",
      { agent_id: "a1", idempotency_key: "k", lease_epoch: 7 },
      "leaseRelease",
      { ...LEASE, leaseEpoch: 7, expectedVersion: null },
    ],
    [
      "/goals/alpha/todos/todo_abc/lease/acquire",
      { ...TURN, idempotency_key: "k", ttl_seconds: 60, write_scope: ["src/**"] },
      "leaseAcquire",
      {
        goalId: "alpha",
        todoId: "todo_abc",
        agentId: "a1",
        instance: "i1",
        capabilities: ["gpu", "browser"],
        key: "k",
        ttlSeconds: 60,
        writeScopes: ["src/**"],
        turnInstanceId: null,
      },
    ],
  ])("of %s asks for what its body says", async (path, body, useCase, request) => {
    const { post, sample } = await listening();
    expect((await post(path, body)).status).toBe(200);
    expect(sample.asked).toMatchObject([{ use_case: useCase, request }]);
  });

  it.each([
    ["/goals/alpha/next", "turnInstanceId"],
    ["/goals/alpha/done", "turnInstanceId"],
    ["/goals/alpha/claim", "idempotencyKey"],
  ])("of %s takes Idempotency-Key for the key that it has", async (path, field) => {
    const { post, sample } = await listening();
    expect((await post(path, {}, { "idempotency-key": "key-9" })).status).toBe(200);
    expect(sample.asked).toMatchObject([{ request: { [field]: "key-9" } }]);
    const named = field === "idempotencyKey" ? { idempotency_key: "key-8" } : { turn_instance_id: "key-8" };
    const two = await post(path, named, { "idempotency-key": "key-9" });
    expect([two.status, (await noOf(two)).code, sample.asked.length]).toEqual([400, "idempotency_conflict", 1]);
  });

  it("that opens a turn needs one", async () => {
    const { post, sample } = await listening();
    const no = await post("/goals/alpha/next", { agent_id: "a1" });
    expect([no.status, (await noOf(no)).code, sample.asked]).toEqual([400, "field_missing", []]);
  });

  it("whose checks failed is answered 422, with the checks", async () => {
    const { post, sample } = await listening();
    const failed = { ok: false, code: "checks_failed", message: "1 check failed", checks: [{ label: "tests", fresh: false }] };
    sample.instead = () => done(failed);
    const answer = await post("/goals/alpha/todos/todo_abc/verify", {});
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ ...failed, fix: null, retry: false });
  });

  it("that lost is answered 409, with the code and the holder beside it", async () => {
    const { post, sample } = await listening();
    sample.instead = () => refuse("todo_lease_conflict", "a2 has it", { details: { holder: "a2", todo_id: "todo_abc" } });
    const lost = await post("/goals/alpha/claim", CLAIM);
    expect(lost.status).toBe(409);
    expect(await lost.json()).toMatchObject({ ok: false, code: "todo_lease_conflict", holder: "a2", retry: true });
  });
});
