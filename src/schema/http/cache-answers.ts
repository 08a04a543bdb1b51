/** What the routes of caches answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";

const count = z.number().int().min(0);
const use = { entries: count, bytes: count };
const kind = z.enum(["status", "verifier", "packages"]);
const cache = z.looseObject({ kind, ...use, capabilities: z.array(z.looseObject({ capability: z.string(), ...use })) });

export const cacheStatsAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    ...use,
    caches: z.array(cache),
    limits: z.looseObject({ max_cache_entries: count, max_cache_bytes: count }),
  })
  .openapi("CacheStats");

export const cacheRemovedAnswer: z.ZodType = z
  .looseObject({ ok: z.literal(true), dry_run: z.boolean(), ...use, removed: z.array(z.looseObject({ kind, ...use })) })
  .openapi("CacheRemoved");
