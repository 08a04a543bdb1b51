/** What writes about caches take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { amount, count, dryRun, optional } from "./fields.ts";

const which = {
  kind: z.enum(["status", "verifier", "packages"]).nullish().openapi({ description: "only this kind of cache" }),
  capability: optional("only what is cached for this capability"),
} as const;

export const cacheClearBody = z.strictObject({ ...which, dry_run: dryRun }).openapi("CacheClearRequest");

export const cachePruneBody = z
  .strictObject({
    ...which,
    max_entries: count("how many may stay"),
    max_bytes: count("how much may stay"),
    older_than: amount("days: what was not used since goes"),
    dry_run: dryRun,
  })
  .openapi("CachePruneRequest");

/** What both have. */
export type CacheBody = z.output<typeof cacheClearBody>;
