import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld, registryText, type World, write } from "../../test/fakes/workspace.ts";
import type { Reply } from "../core/result.ts";
import type { LeaseChangeRequest } from "./app.ts";

let world: World;

const STATE = [
  "# Alpha",
  "",
  "## Agent Todo",
  "",
  "- [ ] [P1] Build the ground",
  "  <!-- loopx:todo todo_id=todo_ground status=open -->",
  "- [ ] [P2] Build the roof",
  "  <!-- loopx:todo todo_id=todo_roof status=open -->",
  "- [ ] [P3] Not for b",
  "  <!-- loopx:todo todo_id=todo_fence status=open excluded_agents=b -->",
  "",
].join("\n");

beforeEach(async () => {
  world = await makeWorld({ state: STATE });
  write(world.registryPath, registryText(["alpha"], { coordination: { registered_agents: ["a", "b"] } }));
});
afterEach(() => world.close());

const CLAIM = {
  goalId: "alpha",
  agentId: "a",
  todoId: "todo_ground",
  turnInstanceId: null,
  instance: null,
  ttlSeconds: 600,
  capabilities: [],
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
} as const;

const CHANGE: LeaseChangeRequest = {
  goalId: "alpha",
  agentId: "a",
  todoId: "todo_ground",
  turnInstanceId: null,
  leaseEpoch: 1,
  key: null,
  expectedVersion: null,
  dryRun: false,
};

async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const got = await reply;
  if (got.kind !== "done") throw new Error(`${got.code}: ${got.message}`);
  return got.value;
}

async function no(reply: Promise<Reply<unknown>>): Promise<{ code: string; details: unknown }> {
  const got = await reply;
  if (got.kind === "done") throw new Error("it was carried out");
  return { code: got.code, details: "details" in got ? got.details : null };
}

async function types(): Promise<readonly string[]> {
  const goal_id = (await world.store.heads({ after: null, limit: 1 }))[0]?.goal_id;
  if (goal_id === undefined) return [];
  const events = await world.store.events({ goal_id, order: "oldest_first", limit: 100 });
  return events.map(({ type }) => type).filter((type) => type.startsWith("lease."));
}

const renew = (more: Partial<LeaseChangeRequest> & { ttlSeconds?: number } = {}) =>
  world.app.leaseRenew({ ...CHANGE, ttlSeconds: null, ...more });
const release = (more: Partial<LeaseChangeRequest> = {}) => world.app.leaseRelease({ ...CHANGE, ...more });
const transfer = (more: Partial<LeaseChangeRequest> & { to?: string } = {}) =>
  world.app.leaseTransfer({ ...CHANGE, to: "b", ...more });

describe("lease renew", () => {
  test("runs from now, each time it is asked with the number (L1)", async () => {
    await value(world.app.claim(CLAIM));
    world.advance(60_000);
    const first = await value(renew());
    expect(first).toMatchObject({ ok: true, active: true, idempotent: false, lease: { epoch: 1, version: 2, ttl_seconds: 600 } });
    world.advance(60_000);
    const second = await value(renew({ ttlSeconds: 30 }));
    expect(second.lease).toMatchObject({ version: 3, ttl_seconds: 30 });
    expect(Date.parse(second.lease?.expires_at ?? "") - Date.parse(world.now())).toBe(30_000);
  });

  test("with a version is carried out once (L2)", async () => {
    await value(world.app.claim({ ...CLAIM, idempotencyKey: "k1" }));
    const asked = { leaseEpoch: null, key: "k1", expectedVersion: 1 };
    expect(await value(renew(asked))).toMatchObject({ idempotent: false, lease: { version: 2, key: "k1" } });
    expect(await value(renew(asked))).toMatchObject({ idempotent: true, changed: false, lease: { version: 2 } });
    expect(await no(renew({ ...asked, ttlSeconds: 5 }))).toMatchObject({ code: "version_mismatch" });
    expect(await types()).toEqual(["lease.taken", "lease.renewed"]);
  });

  test("answers to the name of a lease that was taken without a key (P3)", async () => {
    const { lease } = await value(world.app.claim(CLAIM));
    expect(await value(renew({ leaseEpoch: null, key: lease?.key ?? "", expectedVersion: 1 }))).toMatchObject({ changed: true });
  });

  test.each([
    [{ leaseEpoch: null }, "version_required"],
    [{ leaseEpoch: null, expectedVersion: 1 }, "lease_fence_required"],
    [{ leaseEpoch: null, expectedVersion: 1, key: "other" }, "lease_cas_mismatch"],
    [{ leaseEpoch: null, expectedVersion: 7, key: "k1" }, "version_mismatch"],
    [{ expectedVersion: 7 }, "version_mismatch"],
    [{ leaseEpoch: null, expectedVersion: 1, key: "k1", agentId: "b" }, "lease_cas_mismatch"],
    [{ leaseEpoch: 2 }, "stale_epoch"],
    [{ agentId: "b" }, "stale_epoch"],
    [{ todoId: "todo_nowhere" }, "unknown_todo"],
    [{ agentId: "c" }, "unknown_agent"],
    [{ agentId: null }, "agent_required"],
    [{ todoId: "ground" }, "todo_id_invalid"],
    [{ ttlSeconds: 0 }, "ttl_invalid"],
  ])("with %j is refused: %s (P1, P2)", async (more, code) => {
    await value(world.app.claim({ ...CLAIM, idempotencyKey: "k1" }));
    const before = await types();
    expect((await no(renew(more))).code).toBe(code);
    expect(await types()).toEqual(before);
  });

  test("is refused from the moment the lease ends, at which another agent takes it over", async () => {
    await value(world.app.claim(CLAIM));
    world.advance(599_999);
    expect((await no(world.app.claim({ ...CLAIM, agentId: "b" }))).code).toBe("todo_lease_conflict");
    world.advance(1);
    expect((await no(renew())).code).toBe("lease_not_live");
    expect(await value(world.app.claim({ ...CLAIM, agentId: "b" }))).toMatchObject({ lease: { epoch: 2, owner: "b" } });
    expect(await no(renew())).toMatchObject({ code: "stale_epoch", details: { holder: "b", current_epoch: 2 } });
  });

  test("as a rehearsal stores nothing", async () => {
    await value(world.app.claim(CLAIM));
    expect(await value(renew({ dryRun: true }))).toMatchObject({ dry_run: true, lease: { version: 2 } });
    expect(await types()).toEqual(["lease.taken"]);
  });
});

describe("lease transfer", () => {
  test("gives the todo to the other agent under a new number, and the state file says so (L3)", async () => {
    await value(world.app.claim(CLAIM));
    const moved = await value(transfer({ key: "k2" }));
    expect(moved).toMatchObject({ changed: true, lease: { owner: "b", epoch: 2, version: 1, key: "k2" } });
    expect(world.text()).toContain("claimed_by=b");
    expect(await value(transfer({ key: "k2" }))).toMatchObject({ idempotent: true, lease: { owner: "b", epoch: 2 } });
    expect(await no(transfer({ key: "k3" }))).toMatchObject({ code: "stale_epoch", details: { holder: "b" } });
    expect((await no(release())).code).toBe("stale_epoch");
  });

  test("the owner and a version prove the lease, as in the reference", async () => {
    await value(world.app.claim({ ...CLAIM, idempotencyKey: "k1" }));
    const asked = { leaseEpoch: null, expectedVersion: 1 };
    expect((await no(transfer({ ...asked, key: "k1" }))).code).toBe("idempotency_key_reuse");
    expect((await no(transfer({ ...asked, agentId: "b", to: "a" }))).code).toBe("lease_cas_mismatch");
    expect((await no(transfer({ leaseEpoch: null }))).code).toBe("version_required");
    expect(await value(transfer({ ...asked, key: "k2" }))).toMatchObject({ lease: { owner: "b", key: "k2" } });
  });

  test("is refused for an agent that is not of the goal, or excluded", async () => {
    await value(world.app.claim({ ...CLAIM, todoId: "todo_fence" }));
    expect((await no(transfer({ todoId: "todo_fence", to: "c" }))).code).toBe("unknown_agent");
    expect((await no(transfer({ todoId: "todo_fence" }))).code).toBe("agent_excluded");
  });
});

describe("lease release", () => {
  test("gives the todo back; again it changes nothing (L2)", async () => {
    await value(world.app.claim(CLAIM));
    expect(await value(release())).toMatchObject({ changed: true, active: false, lease: { status: "released", epoch: 1 } });
    expect(world.text()).not.toContain("claimed_by=a");
    expect(await value(release())).toMatchObject({ changed: false, idempotent: true, active: false });
    expect(await types()).toEqual(["lease.taken", "lease.freed"]);
    expect(await value(world.app.claim({ ...CLAIM, agentId: "b" }))).toMatchObject({ lease: { epoch: 2 } });
    expect((await no(release({ agentId: "b" }))).code).toBe("stale_epoch");
  });

  test("is possible while the goal is stopped", async () => {
    await value(world.app.claim(CLAIM));
    await value(world.app.goalStop({ goalId: "alpha", reason: null, dryRun: false }));
    expect(await value(release())).toMatchObject({ changed: true });
  });
});

describe("task-lease acquire", () => {
  const acquire = (more: Record<string, unknown> = {}) => {
    const { idempotencyKey: _key, dryRun: _dry, ...asked } = CLAIM;
    return world.app.leaseAcquire({ ...asked, key: "run-1", ...more });
  };

  test("the same words get the same lease; other words under that key, or its key once it is over, none (A1)", async () => {
    expect(await value(acquire())).toMatchObject({ idempotent: false, active: true, lease: { key: "run-1", epoch: 1 } });
    expect(await value(acquire())).toMatchObject({ idempotent: true, active: true, lease: { epoch: 1 } });
    expect((await no(acquire({ ttlSeconds: 5 }))).code).toBe("idempotency_key_reuse");
    expect((await no(acquire({ agentId: "b", key: "run-2" }))).code).toBe("todo_lease_conflict");
    await value(release());
    expect((await no(acquire())).code).toBe("idempotency_key_reuse");
    expect(await value(acquire({ key: "run-3" }))).toMatchObject({ lease: { epoch: 2 } });
  });

  test("write scopes of two live leases do not overlap", async () => {
    await value(acquire({ writeScopes: ["src/*"] }));
    const other = { todoId: "todo_roof", agentId: "b", key: "run-2", writeScopes: ["src/lexer.py"] };
    expect(await no(acquire(other))).toMatchObject({ code: "write_scope_conflict", details: { holder: "a" } });
  });
});

describe("lease show and list", () => {
  test("show says who holds the todo, and whether that counts", async () => {
    expect(await value(world.app.leaseShow({ goalId: "alpha", todoId: "todo_ground" }))).toMatchObject({
      lease: null,
      active: false,
      effective: false,
      claimed_by: null,
    });
    await value(world.app.claim(CLAIM));
    expect(await value(world.app.leaseShow({ goalId: "alpha", todoId: "todo_ground" }))).toMatchObject({
      lease: { owner: "a", status: "active" },
      effective: true,
      why_not_effective: null,
    });
    world.advance(600_000);
    const ended = await value(world.app.leaseShow({ goalId: "alpha", todoId: "todo_ground" }));
    expect(ended).toMatchObject({ lease: { status: "ended" }, active: false, effective: false });
    expect((await no(world.app.leaseShow({ goalId: "alpha", todoId: "todo_nowhere" }))).code).toBe("unknown_todo");
  });

  test("a lease that the state file contradicts is without effect", async () => {
    await value(world.app.claim(CLAIM));
    world.edit((text) => text.replace("claimed_by=a", "claimed_by=b"));
    world.advance(10_000);
    const shown = await value(world.app.leaseShow({ goalId: "alpha", todoId: "todo_ground" }));
    expect(shown).toMatchObject({ effective: false, why_not_effective: "the state file says that b claimed it" });
  });

  test("list has the one that ends first in front, and pages", async () => {
    await value(world.app.claim(CLAIM));
    await value(world.app.claim({ ...CLAIM, agentId: "b", todoId: "todo_roof", ttlSeconds: 60 }));
    const all = await value(world.app.leaseList({ goalId: "alpha", agentId: null, limit: null, cursor: null }));
    expect(all.leases.map(({ todo_id }) => todo_id)).toEqual(["todo_roof", "todo_ground"]);
    expect(all).toMatchObject({ lease_count: 2, active_count: 2, left_out: { leases: 0, cursor: null, get: [] } });
    const page = await value(world.app.leaseList({ goalId: "alpha", agentId: null, limit: 1, cursor: null }));
    expect(page.left_out).toMatchObject({ leases: 1 });
    const rest = await value(world.app.leaseList({ goalId: "alpha", agentId: null, limit: 1, cursor: page.left_out.cursor }));
    expect(rest.leases.map(({ todo_id }) => todo_id)).toEqual(["todo_ground"]);
    const own = await value(world.app.leaseList({ goalId: "alpha", agentId: "b", limit: null, cursor: null }));
    expect(own.leases.map(({ owner }) => owner)).toEqual(["b"]);
  });
});
