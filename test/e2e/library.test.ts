// The library as another program uses it: the compiled files, a real project, the founding functions (S01, S02, S04 to S06, S11, S14).
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  actionsAreProjectionAligned,
  archiveRuntimeGoal,
  type ClaimPayload,
  type Client,
  createClient,
  type DecisionPayload,
  type DonePayload,
  type GateDecisionPayload,
  LoopxError,
  loadRegistry,
  loadSharedRuntimeProjection,
  nextActionProjectionWarning,
  type Reply,
  renderArchiveRuntimeMarkdown,
  resolveRuntimeRoot,
  uniqueArchivePath,
  validateGoalIdPathSegment,
  writeSharedRuntimeProjection,
} from "../../src/index.ts";

let folder = "";
let registryPath = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-library-")));
  mkdirSync(join(folder, "project/.loopx"), { recursive: true });
  mkdirSync(join(folder, "project/goals/alpha"), { recursive: true });
  registryPath = join(folder, "project/.loopx/registry.json");
  const entry = {
    id: "alpha",
    domain: "demo",
    status: "active",
    repo: ".",
    state_file: "goals/alpha/STATE.md",
    adapter: { kind: "k" },
  };
  writeFileSync(registryPath, JSON.stringify({ schema_version: "0.1", common_runtime_root: "rt", goals: [entry], mine: 1 }));
  writeFileSync(
    join(folder, "project/goals/alpha/STATE.md"),
    "# alpha\n\n## Agent Todo\n\n- [ ] Build it\n\n## Next Action\n\n- Build it\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("registry and runtime root", () => {
  test("seed.S01 the whole registry, unknown fields too", () => {
    expect(loadRegistry(registryPath)).toMatchObject({ common_runtime_root: "rt", mine: 1 });
    expect(() => loadRegistry(join(folder, "none.json"))).toThrow(LoopxError);
  });

  test("seed.S02 relative to the registry's project, whatever the current folder", () => {
    const registry = loadRegistry(registryPath);
    expect(resolveRuntimeRoot(registry, { registryPath })).toBe(join(folder, "project/rt"));
    expect(resolveRuntimeRoot(registry, { registryPath, runtimeRootOverride: "/elsewhere" })).toBe("/elsewhere");
    expect(resolveRuntimeRoot({}, { registryPath })).toMatch(/\/\.codex\/loopx$/);
  });
});

describe("archiving", () => {
  test("seed.S04 one safe path segment, or an error with a code", () => {
    expect(validateGoalIdPathSegment("alpha")).toBe("alpha");
    for (const id of ["..", "a/b", "", "a\u0000b", "CON"]) expect(() => validateGoalIdPathSegment(id)).toThrow();
  });

  test("seed.S06 a rehearsal moves nothing and writes nothing; seed.S05 the real thing moves", async () => {
    mkdirSync(join(folder, "project/rt/goals/alpha/runs"), { recursive: true });
    const before = readdirSync(join(folder, "project/rt"));
    const rehearsed = await archiveRuntimeGoal({ registryPath, goalId: "alpha", allowRegistered: true, execute: false });
    expect(rehearsed).toMatchObject({ ok: true, archived: false, dry_run: true });
    expect(readdirSync(join(folder, "project/rt"))).toEqual(before);
    const refused = await archiveRuntimeGoal({ registryPath, goalId: "alpha", execute: true });
    expect(refused).toMatchObject({ ok: false, archived: false });
    const moved = await archiveRuntimeGoal({ registryPath, goalId: "alpha", allowRegistered: true, execute: true });
    expect(moved).toMatchObject({ ok: true, archived: true });
    if (!moved.ok) throw new Error("refused");
    expect(existsSync(moved.archive_path)).toBe(true);
    expect(renderArchiveRuntimeMarkdown(moved)).toContain(moved.archive_path);
  });

  test("seed.S08 a name that nothing has", () => {
    const first = uniqueArchivePath(folder, "alpha");
    mkdirSync(first);
    expect(first).toMatch(/\/alpha-\d{8}T\d{6}Z$/);
    expect(existsSync(uniqueArchivePath(folder, "alpha"))).toBe(false);
  });
});

describe("projection and client", () => {
  test("seed.S11 a refresh writes the root's and the goal's projection, which can be loaded", async () => {
    const client = createClient({ registry: registryPath });
    const reply = await client.refresh({ ...NOTHING_SAID, goalId: "alpha" });
    await client.close();
    expect(reply.kind).toBe("done");
    const root = join(folder, "project/rt");
    expect(loadSharedRuntimeProjection(root)).toMatchObject({ goal_count: 1, run_count: 1 });
    expect(loadSharedRuntimeProjection(root, { goalId: "alpha" })).toMatchObject({ goal_id: "alpha" });
    expect(loadSharedRuntimeProjection(join(folder, "nothing"))).toBeNull();
    writeSharedRuntimeProjection(root, { mine: true }, { goalId: "alpha" });
    expect(loadSharedRuntimeProjection(root, { goalId: "alpha" })).toEqual({ mine: true });
    expect(() => loadSharedRuntimeProjection(root, { goalId: "../x" })).toThrow(LoopxError);
  });

  test("seed.S14 the seed's comparison", () => {
    const texts = { activeStateNextAction: "Publish the report", latestRunRecommendedAction: "Rewrite the whole parser" };
    expect(nextActionProjectionWarning(texts)).toMatchObject({ kind: "next_action_projection_mismatch" });
    expect(actionsAreProjectionAligned("Publish the report", "publish  the report")).toBe(true);
  });
});

function valueIn<T>(reply: Reply<T>): T {
  if (reply.kind !== "done") throw new LoopxError(reply);
  return reply.value;
}

describe("an agent's turns through the client", () => {
  const A1 = { goalId: "alpha", agentId: "a1", instance: null, capabilities: [] } as const;
  let client: Client;

  beforeEach(() => {
    client = createClient({ registry: registryPath });
  });
  afterEach(async () => await client.close());

  const next = async (): Promise<DecisionPayload> => valueIn(await client.next({ ...A1, turnInstanceId: null, seen: null }));
  const claim = async (agentId: string): Promise<Reply<ClaimPayload>> =>
    await client.claim({ ...A1, ...NO_CLAIM_WORDS, agentId, turnInstanceId: `turn-${agentId}` });
  const done = async (todoId: string, leaseEpoch: number, agentId = "a1"): Promise<Reply<DonePayload>> =>
    await client.done({ ...A1, ...NO_DONE_WORDS, agentId, todoId, leaseEpoch, turnInstanceId: "turn-a1", next: ["Paint it"] });

  test("ask, claim, lose, finish and go on", async () => {
    const asked = await next();
    expect(asked).toMatchObject({ act: "run", todo: { text: "Build it" }, goal_id: "alpha" });
    const { todo, lease } = valueIn(await claim("a1"));
    expect([todo?.todo_id, lease?.owner, lease?.epoch]).toEqual([asked.todo?.todo_id, "a1", 1]);
    const named = { ...A1, ...NO_CLAIM_WORDS, agentId: "a2", todoId: todo?.todo_id ?? "", turnInstanceId: null };
    expect(await client.claim(named)).toMatchObject({
      kind: "refusal",
      code: "todo_lease_conflict",
      details: { holder: "a1" },
    });
    expect(await done(todo?.todo_id ?? "", 7)).toMatchObject({ kind: "refusal", code: "stale_epoch" });
    const finished = valueIn(await done(todo?.todo_id ?? "", 1));
    expect(finished).toMatchObject({ changed: true, status: "done", spent: { slots: 1 } });
    expect(valueIn(await done(todo?.todo_id ?? "", 1))).toMatchObject({ changed: false, idempotent_replay: true });
    expect(await next()).toMatchObject({ act: "run", todo: { text: "Paint it", todo_id: finished.next_todos[0] } });
  });

  test("a question holds up what it is about until a person has answered, once", async () => {
    const { todo } = await next();
    const asked = valueIn(
      await client.todoAdd({
        ...{ goalId: "alpha", agentId: null, turnInstanceId: null, dryRun: false },
        ...{ text: "Build it in stone?", role: "user", priority: null, status: null },
        words: { task_class: "user_gate", unblocks_todo_id: [todo?.todo_id ?? ""] },
      }),
    );
    expect(await next()).toMatchObject({ act: "ask", why: "gate" });
    expect(valueIn(await client.gateList({ goalId: null, todoId: null, limit: null, cursor: null }))).toMatchObject({
      gate_count: 1,
      gates: [{ todo_id: asked.todo_id, kind: "gate" }],
    });
    const answer = async (outcome: "approve" | "reject"): Promise<Reply<GateDecisionPayload>> =>
      await client.gateDecide({
        ...{ goalId: "alpha", todoId: asked.todo_id, agentId: null, until: null, dryRun: false },
        ...{ outcome, reason: "It lasts" },
      });
    expect(valueIn(await answer("approve"))).toMatchObject({ changed: true, decision: { outcome: "approve" } });
    expect(await answer("reject")).toMatchObject({ kind: "refusal", code: "gate_decided" });
    expect(await next()).toMatchObject({ act: "run", todo: { todo_id: todo?.todo_id } });
  });
});

const NO_CLAIM_WORDS = {
  todoId: null,
  ttlSeconds: null,
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
} as const;

const NO_DONE_WORDS = {
  summary: "It stands",
  noFollowUp: false,
  reason: null,
  leaseKey: null,
  leaseVersion: null,
  slots: null,
  tokens: null,
  wallMs: null,
  noCache: false,
  dryRun: false,
} as const;

const NOTHING_SAID = {
  agentId: null,
  agentLane: null,
  classification: null,
  recommendedAction: null,
  nextAction: null,
  deliveryOutcome: null,
  deliveryBatchScale: null,
  todoId: null,
  turnInstanceId: null,
  progressScope: null,
  stateFile: null,
  dryRun: false,
} as const;
