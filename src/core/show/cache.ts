/** What the `cache` commands answer. */

export interface ShownUse {
  readonly entries: number;
  readonly bytes: number;
}

export interface ShownCache extends ShownUse {
  readonly kind: "status" | "verifier" | "packages";
  /** Empty for views of goals. */
  readonly capabilities: readonly (ShownUse & { readonly capability: string })[];
}

export interface CacheStatsPayload extends ShownUse {
  readonly ok: true;
  readonly caches: readonly ShownCache[];
  /** Those that the registry declares for what checks have passed; 0 is none. */
  readonly limits: { readonly max_cache_entries: number; readonly max_cache_bytes: number };
}

export interface CacheRemovedPayload extends ShownUse {
  readonly ok: true;
  readonly dry_run: boolean;
  readonly removed: readonly (ShownUse & { readonly kind: ShownCache["kind"] })[];
}

export function totalOf(uses: readonly ShownUse[]): ShownUse {
  return {
    entries: uses.reduce((sum, { entries }) => sum + entries, 0),
    bytes: uses.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
