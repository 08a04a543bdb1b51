/**
 * What is cached: views of goals, verdicts of checks, package folders. `cache stats`, `prune`, `clear`.
 *
 * Does not own: what goes first (`core/verify/evict.ts`), the caches (ports). Everything in them is made again when it is needed.
 *
 * C1  What one capability has is never counted or removed for another.
 * C2  Without a bound only verdicts are pruned, to what the registry declares.
 */

import { epochOf } from "../core/instant.ts";
import { cacheBounds } from "../core/quota/limits.ts";
import { PROFILES, type QuotaLimits } from "../core/registry/quota-settings.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type CacheRemovedPayload, type CacheStatsPayload, type ShownCache, totalOf } from "../core/show/cache.ts";
import { parseCapability } from "../core/verify/capability.ts";
import type { Bounds } from "../core/verify/evict.ts";
import type { CacheScope, PrunableCache } from "../ports/verdict-cache.ts";
import type { CacheClearRequest, CacheKind, CachePruneRequest, CacheRequest } from "./app.ts";
import { registryRows } from "./registry-rows.ts";
import { clearViews, pruneViews, viewStats } from "./view-cache.ts";
import type { WritingWorkspace } from "./workspace.ts";

const KINDS: readonly CacheKind[] = ["status", "verifier", "packages"];
const DAY_MS = 86_400_000;

interface Asked {
  readonly kinds: readonly CacheKind[];
  readonly capability: string | null;
  /** Of the registry whose views are cached. */
  readonly registry: string;
  readonly limits: QuotaLimits;
}

async function asked(workspace: WritingWorkspace, { kind, capability: text }: CacheRequest): Promise<Reply<Asked>> {
  const capability = text === null ? null : parseCapability(text);
  if (text !== null && capability === null) return reject("capability_invalid", `${JSON.stringify(text)} is no capability.`);
  if (capability !== null && kind === "status") return reject("option_conflict", "Views of goals belong to no capability.");
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const all = capability === null ? KINDS : KINDS.filter((each) => each !== "status"); // (C1)
  const kinds = kind === null ? all : [kind];
  return done({ kinds, capability, registry: rows.value.path, limits: await declaredLimits(workspace) });
}

/** What the registry declares for all goals; the narrower numbers where that cannot be understood. */
async function declaredLimits({ files, roots }: WritingWorkspace): Promise<QuotaLimits> {
  const [{ declaredQuota }, { entryInText }] = await Promise.all([
    import("../core/registry/quota.ts"),
    import("../core/registry/entry-in-text.ts"),
  ]);
  const read = files.readText(roots.registry_path);
  const quota = read.kind === "text" ? declaredQuota(entryInText(read.text, null).root, null) : null;
  return quota?.kind === "set" ? quota.settings.limits : PROFILES.interactive;
}

export async function cacheStats(workspace: WritingWorkspace, request: CacheRequest): Promise<Reply<CacheStatsPayload>> {
  const given = await asked(workspace, request);
  if (given.kind !== "done") return given;
  const { kinds, capability, registry, limits } = given.value;
  const caches: ShownCache[] = [];
  for (const kind of kinds) {
    const cache = kind === "status" ? null : await cacheOf(workspace, kind);
    const stats = cache === null ? { ...(await viewStats(workspace, registry)), capabilities: [] } : cache.stats();
    const capabilities = stats.capabilities.filter((each) => capability === null || each.capability === capability);
    caches.push({ kind, ...(capability === null ? stats : { ...totalOf(capabilities) }), capabilities });
  }
  const { max_cache_entries, max_cache_bytes } = limits;
  return done({ ok: true, ...totalOf(caches), caches, limits: { max_cache_entries, max_cache_bytes } });
}

async function cacheOf(workspace: WritingWorkspace, kind: Exclude<CacheKind, "status">): Promise<PrunableCache> {
  const { verdicts, packages } = await workspace.checking();
  return kind === "verifier" ? verdicts : packages;
}

export async function cachePrune(workspace: WritingWorkspace, request: CachePruneRequest): Promise<Reply<CacheRemovedPayload>> {
  const given = await asked(workspace, request);
  if (given.kind !== "done") return given;
  const bounds = boundsOf(workspace, request);
  const kinds = bounds === null ? given.value.kinds.filter((kind) => kind === "verifier") : given.value.kinds; // (C2)
  return await removing(workspace, { ...given.value, kinds }, { request, bounds: bounds ?? cacheBounds(given.value.limits) });
}

export async function cacheClear(workspace: WritingWorkspace, request: CacheClearRequest): Promise<Reply<CacheRemovedPayload>> {
  const given = await asked(workspace, request);
  return given.kind === "done" ? await removing(workspace, given.value, { request, bounds: null }) : given;
}

/** Null: none was given. */
function boundsOf(
  { clock }: WritingWorkspace,
  { maxEntries, maxBytes, olderThanDays }: CachePruneRequest,
): Partial<Bounds> | null {
  if (maxEntries === null && maxBytes === null && olderThanDays === null) return null;
  return {
    ...(maxEntries !== null && { max_entries: maxEntries }),
    ...(maxBytes !== null && { max_bytes: maxBytes }),
    ...(olderThanDays !== null && { used_since: epochOf(clock.now()) - olderThanDays * DAY_MS }),
  };
}

interface Removing {
  readonly request: CacheClearRequest;
  /** Null: all of it. */
  readonly bounds: Partial<Bounds> | null;
}

async function removing(
  workspace: WritingWorkspace,
  { kinds, capability, registry }: Asked,
  { request, bounds }: Removing,
): Promise<Reply<CacheRemovedPayload>> {
  const scope: CacheScope = { capability, mode: request.dryRun ? "rehearse" : "remove" };
  const removed: CacheRemovedPayload["removed"][number][] = [];
  for (const kind of kinds) {
    const cache = kind === "status" ? null : await cacheOf(workspace, kind);
    if (cache !== null)
      removed.push({ kind, ...(bounds === null ? cache.clear(capability, scope.mode) : cache.prune(bounds, scope)) });
    else if (bounds === null) removed.push({ kind, ...(await clearViews(workspace, registry, scope.mode)) });
    else removed.push({ kind, ...(await pruneViews(workspace, registry, { bounds, mode: scope.mode })) });
  }
  return done({ ok: true, dry_run: request.dryRun, ...totalOf(removed), removed });
}
