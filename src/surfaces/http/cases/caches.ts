/** Routes of what is cached: how much there is, and removing it. */
import type { CacheClearRequest } from "../../../commands/app.ts";
import { cacheRemovedAnswer, cacheStatsAnswer } from "../../../schema/http/cache-answers.ts";
import { type CacheBody, cacheClearBody, cachePruneBody } from "../../../schema/http/cache-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";

export const CACHE_CASES: readonly UseCase[] = [
  read({
    path: "/cache",
    summary: "What is cached, by kind and capability.",
    parameters: ["kind", "capability"],
    moves_with: "clock", // and with every check that is run: no fact of the journal tells of it
    answer: cacheStatsAnswer,
    ask: (app, { given }) => app.cacheStats({ kind: given.kind ?? null, capability: given.capability ?? null }),
  }),
  write({
    path: "/cache/prune",
    summary: "Removes what was used longest ago.",
    body: cachePruneBody,
    answer: cacheRemovedAnswer,
    ask: (app, { body }) => {
      const { max_entries: maxEntries = null, max_bytes: maxBytes = null, older_than: olderThanDays = null } = body;
      return app.cachePrune({ ...clearing(body), maxEntries, maxBytes, olderThanDays });
    },
  }),
  write({
    path: "/cache/clear",
    summary: "Removes all that is cached; it is made again.",
    body: cacheClearBody,
    answer: cacheRemovedAnswer,
    ask: (app, { body }) => app.cacheClear(clearing(body)),
  }),
];

function clearing({ kind, capability, dry_run }: CacheBody): CacheClearRequest {
  return { kind: kind ?? null, capability: capability ?? null, dryRun: dry_run ?? false };
}
