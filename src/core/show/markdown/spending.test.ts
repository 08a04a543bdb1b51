// Pages of the commands about quota, evidence and caches.
import { expect, test } from "vitest";
import { cacheRemovedPage, cacheStatsPage } from "./cache.ts";
import { evidenceAddPage, evidenceListPage, evidenceShowPage } from "./evidence.ts";
import { spendPage } from "./spend.ts";
import { verifyPage } from "./verify.ts";
import { voidPage } from "./void.ts";
import { waitPage, waitPayload } from "./wait.ts";

const UNITS = { slots: 2, tokens: 10, wall_ms: 120_000 };
const NONE = { used: 0, reserved: 0, allowed: null, percent: null };
const QUOTA = {
  state: "throttled",
  compute: 1,
  window_hours: 24,
  slot_minutes: 1,
  spent_slots: 4,
  allowed_slots: 4,
  slots: { used: 4, reserved: 0, allowed: 4, percent: 100 },
  tokens: NONE,
  wall_ms: NONE,
  next_eligible_at: "2026-05-01T10:00:00.000Z",
} as never;
const SPENT = {
  ok: true,
  mode: "spend-slot",
  goal_id: "g",
  agent_id: null,
  todo_id: null,
  turn_instance_id: null,
  dry_run: false,
  slots: 2,
  units: UNITS,
  appended: true,
  idempotent_replay: false,
  reason: "spent: g 2->4 slots",
  before: null,
  after: QUOTA,
  would_throttle: true,
  spent_seq: 9,
  quota_gate: "todo_gate",
  settlement_result: { ok: true, receipts: [], failure: null },
  then: ["loopx next"],
  warnings: [],
} as const;

test("a spend says what it was, what is left, and what the goal asks", () => {
  const text = spendPage(SPENT);
  for (const part of ["# Spent", "2 slots, 10 tokens, 2 min of work", "4 of 4 slots", "2026-05-01T10:00:00.000Z", "todo_gate"])
    expect(text).toContain(part);
  expect(spendPage({ ...SPENT, appended: false, dry_run: true, quota_gate: null })).toContain("nothing was written");
  expect(spendPage({ ...SPENT, appended: false, after: null })).toContain("nothing changed");
});

test("a spend that is taken back says which", () => {
  const answer = { ok: true, mode: "void-slot", goal_id: "g", voided_seq: 7, voided_generated_at: "T", units: UNITS } as const;
  const rest = { appended: true, dry_run: false, reason: "twice", before: null, after: QUOTA, warnings: [] };
  expect(voidPage({ ...answer, ...rest })).toContain("number 7 of T");
  expect(voidPage({ ...answer, ...rest, appended: false, dry_run: true })).toContain("Would be taken back");
  expect(voidPage({ ...answer, ...rest, appended: false, after: null })).toContain("Taken back before");
});

test("a wait says until when, and why", () => {
  const facts = { goal_id: "g", agent_id: "a1", appended: true, dry_run: false, until: "T", reason: "429", warnings: [] };
  expect(waitPage(waitPayload(facts))).toContain("until: T");
  expect(waitPage(waitPayload({ ...facts, until: null }))).toContain("# The agent goes on");
  expect(waitPage(waitPayload({ ...facts, until: null, appended: false }))).toContain("was not waiting");
  expect(waitPage(waitPayload({ ...facts, dry_run: true }))).toContain("nothing was written");
  expect(waitPage(waitPayload({ ...facts, until: null, dry_run: true }))).toContain("Would go on");
});

test("a verification says how each check ended", () => {
  const check = { label: "good", outcome: "failed", exit_code: 7, duration_ms: 12, output: null } as const;
  const answer = {
    ok: false,
    code: "checks_failed",
    message: "1 of 2 checks did not pass",
    goal_id: "g",
    agent_id: null,
    todo_id: "todo_a",
    verified: false,
    checks: [
      { ...check, cached: false, fresh: false, seq: 5, note: null },
      { ...check, outcome: "passed", exit_code: 0, cached: true, fresh: true, seq: null, note: "n" },
    ],
    tree_hash: "h",
    turn_written: true,
    dry_run: false,
    then: ["loopx verify todo_a"],
    warnings: [],
  } as const;
  const text = verifyPage(answer);
  for (const part of [
    "# Not verified",
    "failed with exit status 7 in 12 ms, evidence 5",
    "passed before (n)",
    "counts as failed",
  ])
    expect(text).toContain(part);
  expect(verifyPage({ ...answer, ok: true, dry_run: true })).toContain("# Verified (nothing was written)");
  expect(verifyPage({ ...answer, ok: true, checks: [] })).toContain("# Nothing to verify");
});

const EVIDENCE = {
  seq: 5,
  at: "T",
  agent_id: "a1",
  turn_id: null,
  todo_id: "todo_a",
  label: "Tests",
  argv: ["npm", "test"],
  outcome: "timed_out",
  exit_code: 1,
  duration_ms: 3,
  tree_hash: null,
  environment: null,
  output: { sha256: "0123456789abcdef0123", bytes: 4 },
  cached: false,
  note: "n",
} as const;

test("evidence is shown with its output fenced by more than it holds", () => {
  const text = evidenceShowPage({ ok: true, goal_id: "g", evidence: EVIDENCE, output_text: "a\n````\nb\n", problems: [] });
  expect(text).toContain("`````text\na\n````\nb\n`````");
  expect(text).toContain("outcome: timed out, exit status 1");
  const bare = { ...EVIDENCE, argv: [], todo_id: null, agent_id: null, output: null, note: null, exit_code: null };
  expect(evidenceShowPage({ ok: true, goal_id: "g", evidence: bare, output_text: null, problems: [] })).not.toContain("null");
});

test("evidence is listed, and recorded", () => {
  const left_out = { more: true, cursor: "c", get: ["loopx evidence list --cursor c"] };
  const listed = evidenceListPage({ ok: true, goal_id: "g", todo_id: null, evidence: [EVIDENCE], left_out });
  expect(listed).toContain("| 5 | T | Tests | timed_out | todo_a |");
  expect(listed).toContain("More: `loopx evidence list --cursor c`");
  const none = { more: false, cursor: null, get: [] };
  expect(evidenceListPage({ ok: true, goal_id: "g", todo_id: null, evidence: [], left_out: none })).toContain("None.");
  const added = { ok: true, goal_id: "g", agent_id: null, added: true, idempotent_replay: false, dry_run: false } as const;
  expect(evidenceAddPage({ ...added, evidence: EVIDENCE, dropped_bytes: 9, warnings: [] })).toContain("9 bytes in the middle");
  expect(evidenceAddPage({ ...added, added: false, dry_run: true, evidence: null, dropped_bytes: 0, warnings: [] })).toContain(
    "Would be recorded",
  );
  expect(evidenceAddPage({ ...added, added: false, evidence: null, dropped_bytes: 0, warnings: [] })).toContain(
    "Recorded before",
  );
});

test("caches are counted, and what went", () => {
  const use = { entries: 1, bytes: 20 };
  const caches = [{ kind: "verifier", ...use, capabilities: [{ capability: "net", ...use }] }] as const;
  const limits = { max_cache_entries: 0, max_cache_bytes: 5 };
  const text = cacheStatsPage({ ok: true, ...use, caches, limits });
  expect(text).toContain("# 1 entry, 20 bytes cached");
  expect(text).toContain("no limit entries, 5 bytes");
  const removed = [{ kind: "verifier", ...use }] as const;
  expect(cacheRemovedPage({ ok: true, ...use, dry_run: true, removed })).toContain("would be removed");
  expect(cacheRemovedPage({ ok: true, ...use, dry_run: false, removed })).toContain("20 bytes removed");
});
