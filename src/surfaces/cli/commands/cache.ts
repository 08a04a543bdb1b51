import type { CacheRequest } from "../../../commands/app.ts";
import { cacheRemovedPage, cacheStatsPage } from "../../../core/show/markdown/cache.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { shown } from "../shown.ts";

export const cacheStats: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.cacheStats(cacheOf(options)), cacheStatsPage);
};

export const cachePrune: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.cachePrune({
    ...cacheOf(options),
    maxEntries: options.number("max-entries"),
    maxBytes: options.number("max-bytes"),
    olderThanDays: options.number("older-than"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, cacheRemovedPage);
};

export const cacheClear: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.cacheClear({ ...cacheOf(options), dryRun: options.flag("dry-run") }), cacheRemovedPage);
};

const KINDS = ["status", "verifier", "packages"] as const;

function cacheOf(options: Options): CacheRequest {
  return { kind: KINDS.find((kind) => kind === options.text("kind")) ?? null, capability: options.text("capability") };
}
