import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventsOf, takeIn } from "../../test/fakes/asks.ts";
import { CLAIM, DONE, declareQuota } from "../../test/fakes/turns.ts";
import { makeWorld, REFRESH, STATE, type World } from "../../test/fakes/workspace.ts";
import type { EvidenceAddRequest, EvidenceListRequest } from "./app.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

const ARGV = [process.execPath, "-e", "process.exit(1)"];
const CHECKED = `own_key=kept validation_checks=${encodeURIComponent(JSON.stringify([{ argv: ARGV }]))}`;

let world: World;
beforeEach(async () => {
  world = await makeWorld({ state: STATE.replace("own_key=kept", CHECKED) });
  await takeIn(world);
});
afterEach(() => world.close());

const ADD: EvidenceAddRequest = {
  goalId: "alpha",
  agentId: "builder",
  todoId: null,
  label: "Tests",
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
const LIST: EvidenceListRequest = { goalId: "alpha", todoId: null, limit: null, cursor: null };

const add = (asked: Partial<EvidenceAddRequest> = {}): ReturnType<World["app"]["evidenceAdd"]> =>
  world.app.evidenceAdd({ ...ADD, ...asked });
const list = (asked: Partial<EvidenceListRequest> = {}): ReturnType<World["app"]["evidenceList"]> =>
  world.app.evidenceList({ ...LIST, ...asked });
const evidenceFolder = (): string => join(world.project, ".loopx/runtime/goals/alpha/evidence");

test("records what was run, with its output, and gives it back", async () => {
  const answer = await valueFrom(
    add({
      command: ["npm", "test"],
      exitCode: 0,
      durationSeconds: 1.5,
      output: "all green\n",
      note: "by hand",
      todoId: "todo_ground",
    }),
  );
  expect(answer).toMatchObject({
    added: true,
    evidence: { label: "Tests", argv: ["npm", "test"], outcome: "reported", exit_code: 0, duration_ms: 1500, tree_hash: null },
  });
  const seq = answer.evidence?.seq ?? 0;
  expect(await valueFrom(world.app.evidenceShow({ goalId: "alpha", seq, withOutput: true }))).toMatchObject({
    evidence: { seq, todo_id: "todo_ground", agent_id: "builder", note: "by hand" },
    output_text: "all green\n",
    problems: [],
  });
  expect(await valueFrom(world.app.evidenceShow({ goalId: "alpha", seq, withOutput: false }))).toMatchObject({
    output_text: null,
  });
});

test("E1 a report of a check is no check that passed", async () => {
  await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  await valueFrom(add({ todoId: "todo_ground", command: ARGV, exitCode: 0 }));
  expect(await codeFrom(world.app.done(DONE))).toBe("checks_failed");
});

test("the output comes from a file, too; one that cannot be read is told", async () => {
  const path = join(world.project, "log");
  writeFileSync(path, "from a file");
  const { evidence } = await valueFrom(add({ outputFile: path }));
  expect(evidence?.output?.bytes).toBe(11);
  expect(await codeFrom(add({ outputFile: join(world.project, "none") }))).toBe("output_unreadable");
  writeFileSync(path, Uint8Array.of(0xff, 0xfe, 0x00));
  expect(await codeFrom(add({ outputFile: path }))).toBe("output_unreadable");
});

test("E2 of an archived goal nothing is kept and nothing recorded", async () => {
  await world.app.refresh(REFRESH);
  const archived = { goalId: "alpha", archiveRoot: null, allowRegistered: true, dryRun: false };
  expect((await world.app.archive(archived)).kind).toBe("done");
  expect(existsSync(evidenceFolder())).toBe(false);
  expect(await codeFrom(add({ output: "late" }))).toMatch(/goal_(archived|stopped)/);
  expect(existsSync(evidenceFolder())).toBe(false);
});

test("E3 an agent reports about what it may write about, with the number of its lease; a person about anything", async () => {
  const { lease } = await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  const epoch = lease?.epoch ?? 0;
  expect(await codeFrom(add({ todoId: "todo_ground", agentId: "other" }))).toBe("todo_lease_conflict");
  expect(await codeFrom(add({ todoId: "todo_ground", leaseEpoch: epoch + 1 }))).toBe("stale_epoch");
  expect(await codeFrom(add({ todoId: "todo_ground", leaseEpoch: epoch }))).toBe("done");
  expect(await codeFrom(add({ todoId: "todo_ground", agentId: null }))).toBe("done");
});

test("a rehearsal keeps no output, and the same key records once", async () => {
  expect(await valueFrom(add({ output: "x", dryRun: true }))).toMatchObject({ added: false, evidence: { label: "Tests" } });
  expect(existsSync(evidenceFolder())).toBe(false);
  const first = await valueFrom(add({ output: "x", idempotencyKey: "k" }));
  const again = await valueFrom(add({ output: "x", idempotencyKey: "k" }));
  expect(again).toMatchObject({ added: false, idempotent_replay: true, evidence: { seq: first.evidence?.seq } });
  expect(await codeFrom(add({ output: "y", idempotencyKey: "k" }))).toBe("idempotency_key_reuse");
});

test("a full goal takes no more reports, and keeps none of their output", async () => {
  declareQuota(world, { limits: { max_runtime_bytes: 10 } });
  expect(await codeFrom(add({ output: "x" }))).toBe("limit_runtime_bytes");
  expect(existsSync(evidenceFolder())).toBe(false);
});

test("an output that is gone is told", async () => {
  const { evidence } = await valueFrom(add({ output: "x" }));
  rmSync(evidenceFolder(), { recursive: true });
  const shown = await valueFrom(world.app.evidenceShow({ goalId: "alpha", seq: evidence?.seq ?? 0, withOutput: true }));
  expect(shown).toMatchObject({ output_text: null, problems: [{ code: "output_missing" }] });
});

test("lists newest first, by todo, in pages", async () => {
  for (const label of ["a", "b", "c"]) await valueFrom(add({ label, todoId: label === "b" ? null : "todo_ground" }));
  const labels = async (asked: Partial<EvidenceListRequest>): Promise<readonly string[]> =>
    (await valueFrom(list(asked))).evidence.map(({ label }) => label);
  expect(await labels({})).toEqual(["c", "b", "a"]);
  expect(await labels({ todoId: "todo_ground" })).toEqual(["c", "a"]);
  const page = await valueFrom(list({ limit: 2 }));
  expect(page.left_out).toMatchObject({ more: true, get: [expect.stringContaining("--cursor")] });
  expect(await labels({ cursor: page.left_out.cursor })).toEqual(["a"]);
  expect((await valueFrom(list({ limit: 3 }))).left_out).toEqual({ more: false, cursor: null, get: [] });
  expect(await codeFrom(list({ cursor: "evidence.1.x" }))).toBe("invalid_cursor");
});

test.each([
  [{ label: " " }, "text_empty"],
  [{ exitCode: 1 }, "option_missing"],
  [{ output: "a", outputFile: "b" }, "option_conflict"],
  [{ command: ["-rf"] }, "command_invalid"],
  [{ note: "password=hunter22" }, "text_holds_secret"],
  [{ todoId: "todo_none" }, "unknown_todo"],
  [{ todoId: "?" }, "todo_id_invalid"],
])("%j is %s, and nothing is stored", async (asked, code) => {
  const before = (await eventsOf(world)).length;
  expect(await codeFrom(add(asked))).toBe(code);
  expect((await eventsOf(world)).length).toBe(before);
});

test("what is no evidence is not found", async () => {
  expect(await codeFrom(world.app.evidenceShow({ goalId: "alpha", seq: 1, withOutput: false }))).toBe("unknown_evidence");
});
