/** What is asked about caches. */

export type CacheKind = "status" | "verifier" | "packages";

export interface CacheRequest {
  /** Null: all kinds. */
  readonly kind: CacheKind | null;
  /** Null: all capabilities. Views of goals have none. */
  readonly capability: string | null;
}

export interface CacheClearRequest extends CacheRequest {
  readonly dryRun: boolean;
}

/** Without any bound: those that the registry declares, for what checks have passed. */
export interface CachePruneRequest extends CacheClearRequest {
  readonly maxEntries: number | null;
  readonly maxBytes: number | null;
  readonly olderThanDays: number | null;
}
