/**
 * The `VerdictCache` port as files: `cache/verifier/<capability>/<key>.json`.
 *
 * Does not own: listing and removing entries (`cache-entries.ts`), single files (`private-file.ts`).
 */
import { lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { epochOf } from "../../core/instant.ts";
import { capabilityFolder, capabilityIn } from "../../core/verify/capability.ts";
import { parseVerdict, type Verdict } from "../../core/verify/verdict.ts";
import type { Clock } from "../../ports/system.ts";
import { type VerdictCache, WHOLE_CACHE } from "../../ports/verdict-cache.ts";
import {
  attempt,
  type CacheEntry,
  cacheFolder,
  capabilityFolders,
  cleared,
  entriesOf,
  markUsed,
  pruned,
  statsOf,
} from "./cache-entries.ts";
import { parseLeftoverName } from "./leftover-names.ts";
import { enterFolder, readPrivate, writePrivate } from "./private-file.ts";

const MAX_ENTRIES = 2000;
const MAX_BYTES: number = 16 * 1024 * 1024;
const MAX_VERDICT_BYTES: number = 128 * 1024;
const NAME = /^[0-9a-f]{64}\.json$/;
/** A file that is being written for longer was left by a kill. */
const WRITING_MS = 600_000;

export interface VerdictCacheOptions {
  readonly runtime_root: string;
  readonly clock: Clock;
  readonly max_entries?: number;
  readonly max_bytes?: number;
}

export function fileVerdicts(options: VerdictCacheOptions): VerdictCache {
  const { runtime_root, clock, max_entries = MAX_ENTRIES, max_bytes = MAX_BYTES } = options;
  const folder = cacheFolder(runtime_root, "verifier");
  const all = (): readonly CacheEntry[] => verdictsIn(folder);
  return {
    find: (capability, key) => find(placeOf(folder, { capability, key }), { capability, key, clock }),
    save: (verdict) => {
      if (!save(runtime_root, verdict, clock)) return false;
      removeLeftovers(folder, clock);
      pruned(all(), { ...WHOLE_CACHE, bounds: { max_entries, max_bytes }, remove: unlinkSync }); // (Y3)
      return true;
    },
    stats: () => statsOf(all()),
    prune: (bounds, scope = WHOLE_CACHE) => {
      if (scope.mode === "remove") removeLeftovers(folder, clock);
      return pruned(all(), { ...scope, bounds, remove: unlinkSync });
    },
    clear: (capability, mode = "remove") => cleared(all(), { capability, mode, remove: unlinkSync }),
  };
}

type Asked = Pick<Verdict, "capability" | "key">;

/** Y2. Null when there can be no such entry. */
function placeOf(folder: string, { capability, key }: Asked): string | null {
  const name = `${key}.json`;
  const own = capabilityFolder(capability);
  return NAME.test(name) && capabilityIn(own) === capability ? join(folder, own, name) : null;
}

/** Y1. */
function find(path: string | null, { clock, ...asked }: Asked & { readonly clock: Clock }): Verdict | null {
  const read = path === null ? null : attempt(() => readPrivate(path, MAX_VERDICT_BYTES));
  if (path === null || read === null || read.kind === "missing") return null;
  const verdict = read.kind === "bytes" ? parseVerdict(read.bytes.toString(), asked) : null;
  if (verdict === null) attempt(() => unlinkSync(path));
  else markUsed(path, clock.now());
  return verdict;
}

function save(runtimeRoot: string, verdict: Verdict, clock: Clock): boolean {
  const path = placeOf(cacheFolder(runtimeRoot, "verifier"), verdict);
  const bytes = Buffer.from(`${JSON.stringify(verdict)}\n`);
  if (path === null || bytes.length > MAX_VERDICT_BYTES) return false;
  const place = attempt(() => enterFolder(runtimeRoot, ["cache", "verifier", capabilityFolder(verdict.capability)]));
  if (place?.kind !== "folder" || attempt(() => writePrivate(path, bytes, "volatile") === null) !== true) return false;
  markUsed(path, clock.now());
  return true;
}

function verdictsIn(folder: string): readonly CacheEntry[] {
  return capabilityFolders(folder).flatMap(({ path, capability }) =>
    entriesOf(path).flatMap((entry) => {
      const stats = entry.isFile() && NAME.test(entry.name) ? attempt(() => lstatSync(join(path, entry.name))) : null;
      if (stats === null) return [];
      return [
        {
          name: `${capability}/${entry.name}`,
          path: join(path, entry.name),
          capability,
          used_at: stats.mtimeMs,
          bytes: stats.size,
        },
      ];
    }),
  );
}

function removeLeftovers(folder: string, clock: Clock): void {
  const before = epochOf(clock.now()) - WRITING_MS;
  for (const { path } of capabilityFolders(folder)) {
    for (const { name } of entriesOf(path).filter((entry) => entry.isFile() && parseLeftoverName(entry.name) !== null)) {
      attempt(() => lstatSync(join(path, name)).mtimeMs < before && unlinkSync(join(path, name)));
    }
  }
}
