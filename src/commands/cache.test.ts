import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeIn } from "../../test/fakes/asks.ts";
import { declareQuota } from "../../test/fakes/turns.ts";
import { makeWorld, registryText, STATUS, type World, write } from "../../test/fakes/workspace.ts";
import type { GoalId } from "../core/id.ts";
import type { Verdict } from "../core/verify/verdict.ts";
import type { CachePruneRequest, CacheRequest } from "./app.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ goals: ["alpha", "beta"] });
  await takeIn(world);
  const { verdicts } = await world.workspace.checking();
  for (const [capability, key] of [
    ["default", "a"],
    ["default", "b"],
    ["net", "c"],
  ] as const) {
    expect(verdicts.save(verdict(capability, key.repeat(64)))).toBe(true);
  }
  const folder = join(world.project, ".loopx/runtime/cache/packages/net");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package"), "x".repeat(100));
});
afterEach(() => world.close());

function verdict(capability: string, key: string): Verdict {
  const output = { sha256: "0".repeat(64), bytes: 1 };
  return { capability, key, exit_code: 0, argv: ["x"], duration_ms: 1, goal_id: "alpha" as GoalId, output, at: world.now() };
}

const ALL: CacheRequest = { kind: null, capability: null };
const PRUNE: CachePruneRequest = { ...ALL, maxEntries: null, maxBytes: null, olderThanDays: null, dryRun: false };

async function entries(asked: Partial<CacheRequest> = {}): Promise<Readonly<Record<string, number>>> {
  const { caches } = await valueFrom(world.app.cacheStats({ ...ALL, ...asked }));
  return Object.fromEntries(caches.map((cache) => [cache.kind, cache.entries]));
}

test("counts each cache, and what each capability has of it", async () => {
  expect(await entries()).toEqual({ status: 2, verifier: 3, packages: 1 });
  expect(await entries({ capability: "net" })).toEqual({ verifier: 1, packages: 1 });
  const { caches, limits, bytes } = await valueFrom(world.app.cacheStats({ ...ALL, kind: "verifier" }));
  expect(caches[0]?.capabilities.map(({ capability, entries: own }) => [capability, own])).toEqual([
    ["default", 2],
    ["net", 1],
  ]);
  expect(bytes).toBe(caches[0]?.bytes);
  expect(limits).toEqual({ max_cache_entries: 1000, max_cache_bytes: 64 * 1024 * 1024 });
});

test("a rehearsal says what would go and removes nothing", async () => {
  expect(await valueFrom(world.app.cacheClear({ ...ALL, dryRun: true }))).toMatchObject({ dry_run: true, entries: 6 });
  expect(await valueFrom(world.app.cachePrune({ ...PRUNE, maxEntries: 1, dryRun: true }))).toMatchObject({ entries: 3 });
  expect(await entries()).toEqual({ status: 2, verifier: 3, packages: 1 });
});

test("C1 what is cleared of one capability or kind leaves the others", async () => {
  await valueFrom(world.app.cacheClear({ kind: null, capability: "net", dryRun: false }));
  expect(await entries()).toEqual({ status: 2, verifier: 2, packages: 0 });
  await valueFrom(world.app.cacheClear({ kind: "verifier", capability: null, dryRun: false }));
  expect(await entries()).toEqual({ status: 2, verifier: 0, packages: 0 });
});

test("cleared views are made again, and say the same", async () => {
  const before = await valueFrom(world.app.status(STATUS));
  await valueFrom(world.app.cacheClear({ kind: "status", capability: null, dryRun: false }));
  expect(await entries({ kind: "status" })).toEqual({ status: 0 });
  const { goals } = await valueFrom(world.app.status(STATUS));
  expect(goals).toEqual(before.goals);
  expect(await entries({ kind: "status" })).toEqual({ status: 2 });
});

test("prunes by number, by bytes and by age", async () => {
  expect(await valueFrom(world.app.cachePrune({ ...PRUNE, kind: "verifier", maxEntries: 2 }))).toMatchObject({ entries: 1 });
  expect(await valueFrom(world.app.cachePrune({ ...PRUNE, kind: "packages", maxBytes: 99 }))).toMatchObject({
    entries: 1,
    bytes: 100,
  });
  world.advance(3 * 86_400_000);
  expect(await valueFrom(world.app.cachePrune({ ...PRUNE, olderThanDays: 4 }))).toMatchObject({ entries: 0 });
  expect(await valueFrom(world.app.cachePrune({ ...PRUNE, olderThanDays: 2 }))).toMatchObject({ entries: 4 });
});

test("C2 without a bound verdicts are held to what the registry declares, and nothing else goes", async () => {
  write(world.registryPath, registryText(["alpha", "beta"]).replace("{", '{ "limits": { "max_cache_entries": 1 },'));
  expect(await valueFrom(world.app.cachePrune(PRUNE))).toMatchObject({ removed: [{ kind: "verifier", entries: 2 }] });
  expect(await entries()).toEqual({ status: 2, verifier: 1, packages: 1 });
});

test("whoever keeps a verdict holds the cache to the limits of their goal", async () => {
  const { verdicts } = await world.workspace.checking({ max_entries: 2, max_bytes: Number.POSITIVE_INFINITY });
  verdicts.save(verdict("default", "d".repeat(64)));
  expect(await entries({ kind: "verifier" })).toEqual({ verifier: 2 });
});

test.each([
  [{ capability: "No Such" }, "capability_invalid"],
  [{ kind: "status", capability: "net" } as const, "option_conflict"],
])("%j is %s", async (asked, code) => {
  expect(await codeFrom(world.app.cacheStats({ ...ALL, ...asked }))).toBe(code);
});

test("quota that cannot be understood leaves the narrower limits", async () => {
  declareQuota(world, {});
  write(world.registryPath, registryText(["alpha"]).replace("{", '{ "limits": { "max_cache_entries": "x" },'));
  const { limits } = await valueFrom(world.app.cacheStats(ALL));
  expect(limits.max_cache_entries).toBe(1000);
});
