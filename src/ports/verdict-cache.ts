/**
 * Verdicts of checks that passed, and the package caches that verifiers share; all per capability.
 *
 * Does not own: when a verdict may be used (`core/verify/cache-key.ts`), what goes first (`core/verify/evict.ts`).
 *
 * Y1  It is a cache: what cannot be read is as if it were not there and is removed, what cannot be written is answered with false.
 * Y2  What one capability saved, no other finds.
 * Y3  Verdicts are bounded by number and bytes at every save; what was used last is kept.
 */
import type { Bounds } from "../core/verify/evict.ts";
import type { Verdict } from "../core/verify/verdict.ts";

export interface CacheUse {
  readonly entries: number;
  readonly bytes: number;
}

export interface CacheStats extends CacheUse {
  /** In code point order. */
  readonly capabilities: readonly (CacheUse & { readonly capability: string })[];
}

export interface PrunableCache {
  stats(): CacheStats;
  /** Answers what went. Bounds hold for the entries of the scope alone. */
  prune(bounds: Partial<Bounds>, scope?: CacheScope): CacheUse;
  /** Null: of all capabilities. */
  clear(capability: string | null, mode?: CacheScope["mode"]): CacheUse;
}

export interface CacheScope {
  /** Null: all of them. */
  readonly capability: string | null;
  /** `rehearse`: answer what would go, remove nothing. */
  readonly mode: "remove" | "rehearse";
}

export const WHOLE_CACHE: CacheScope = { capability: null, mode: "remove" };

export interface VerdictCache extends PrunableCache {
  /** Counts as a use. */
  find(capability: string, key: string): Verdict | null;
  save(verdict: Verdict): boolean;
}

/** An entry is a capability's folder with all that package managers put there. */
export interface PackageFolders extends PrunableCache {
  /** Variables that lead package managers there; none when there can be no such folder. Counts as a use. */
  environment(capability: string): Readonly<Record<string, string>>;
}
