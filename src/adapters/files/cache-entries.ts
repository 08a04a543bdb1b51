/**
 * Entries of a cache on disk, below one folder per capability: `cache/<kind>/<capability>/…`.
 *
 * The time of modification is that of the last use. Links are neither followed nor counted.
 */
import { type Dirent, lstatSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { epochOf, type Instant } from "../../core/instant.ts";
import { compareText } from "../../core/show/rank.ts";
import { capabilityIn } from "../../core/verify/capability.ts";
import { type Bounds, type Held, NO_BOUNDS, toEvict } from "../../core/verify/evict.ts";
import { isFault } from "../../errors.ts";
import type { CacheScope, CacheStats, CacheUse } from "../../ports/verdict-cache.ts";
import { errnoOf } from "./file-fault.ts";

export interface CacheEntry extends Held {
  readonly path: string;
  readonly capability: string;
}

export function cacheFolder(runtimeRoot: string, kind: "verifier" | "packages"): string {
  return join(runtimeRoot, "cache", kind);
}

export function capabilityFolders(folder: string): readonly { readonly path: string; readonly capability: string }[] {
  return entriesOf(folder).flatMap((entry) => {
    const capability = entry.isDirectory() ? capabilityIn(entry.name) : null;
    return capability === null ? [] : [{ path: join(folder, entry.name), capability }];
  });
}

/** Of a folder that is not there or cannot be read: none. */
export function entriesOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

export function usedAt(path: string): number | null {
  return attempt(() => lstatSync(path).mtimeMs);
}

export function markUsed(path: string, now: Instant): void {
  attempt(() => utimesSync(path, epochOf(now) / 1000, epochOf(now) / 1000));
}

/** What the world refuses is null: a cache fails nobody. */
export function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!isFault(error) && errnoOf(error) === null) throw error;
    return null;
  }
}

export function statsOf(entries: readonly CacheEntry[]): CacheStats {
  const names = [...new Set(entries.map(({ capability }) => capability))].sort(compareText);
  const capabilities = names.map((capability) => ({
    capability,
    ...useOf(entries.filter((entry) => entry.capability === capability)),
  }));
  return { ...useOf(entries), capabilities };
}

export interface Pruning extends CacheScope {
  readonly bounds: Partial<Bounds>;
  readonly remove: (path: string) => void;
}

export function pruned(entries: readonly CacheEntry[], { bounds, ...pruning }: Pruning): CacheUse {
  const inScope = entries.filter(({ capability }) => pruning.capability === null || capability === pruning.capability);
  return removed(toEvict(inScope, { ...NO_BOUNDS, ...bounds }), pruning);
}

const NOTHING_STAYS: Partial<Bounds> = { max_entries: 0 };

export function cleared(entries: readonly CacheEntry[], clearing: Omit<Pruning, "bounds">): CacheUse {
  return pruned(entries, { ...clearing, bounds: NOTHING_STAYS });
}

/** Those that stay against their will do not count. */
function removed(entries: readonly CacheEntry[], { mode, remove }: Pick<Pruning, "mode" | "remove">): CacheUse {
  if (mode === "rehearse") return useOf(entries);
  const isGone = ({ path }: CacheEntry): boolean =>
    attempt(() => {
      remove(path);
      return true;
    }) ?? false;
  return useOf(entries.filter(isGone));
}

function useOf(entries: readonly CacheEntry[]): CacheUse {
  return { entries: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
}
