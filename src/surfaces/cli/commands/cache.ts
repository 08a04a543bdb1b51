import type { CacheRequest } from "../../../commands/app.ts";
import { nearest } from "../../../core/near.ts";
import { done, type Reply, reject } from "../../../core/result.ts";
import { cacheRemovedPage, cacheStatsPage } from "../../../core/show/markdown/cache.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { shown } from "../shown.ts";

export const cacheStats: Run = async (context, options) => {
  const asked = cacheOf(options);
  if (asked.kind !== "done") return asked;
  const app = await context.app();
  return shown(await app.cacheStats(asked.value), cacheStatsPage);
};

export const cachePrune: Run = async (context, options) => {
  const asked = cacheOf(options);
  if (asked.kind !== "done") return asked;
  const app = await context.app();
  const reply = await app.cachePrune({
    ...asked.value,
    maxEntries: options.number("max-entries"),
    maxBytes: options.number("max-bytes"),
    olderThanDays: options.number("older-than"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, cacheRemovedPage);
};

export const cacheClear: Run = async (context, options) => {
  const asked = cacheOf(options);
  if (asked.kind !== "done") return asked;
  const app = await context.app();
  return shown(await app.cacheClear({ ...asked.value, dryRun: options.flag("dry-run") }), cacheRemovedPage);
};

const KINDS = ["status", "verifier", "packages"] as const;

function cacheOf(options: Options): Reply<CacheRequest> {
  const word = options.text("kind");
  const kind = KINDS.find((known) => known === word) ?? null;
  if (word === null || kind !== null) return done({ kind, capability: options.text("capability") });
  const message = `--kind is one of ${KINDS.join(", ")}, not "${word}"`;
  return reject("option_value_invalid", message, {
    near: nearest(word, KINDS),
    problems: [{ path: "--kind", code: "option_value_invalid", message }],
  });
}
