/**
 * The `PackageFolders` port: `cache/packages/<capability>/`, filled by package managers.
 *
 * They may leave files and folders there that even their owner may not write to.
 */
import { capabilityFolder, capabilityIn } from "../../core/verify/capability.ts";
import { packageEnvironment } from "../../core/verify/environment.ts";
import type { Clock } from "../../ports/system.ts";
import { type PackageFolders, WHOLE_CACHE } from "../../ports/verdict-cache.ts";
import {
  attempt,
  type CacheEntry,
  cacheFolder,
  capabilityFolders,
  cleared,
  markUsed,
  pruned,
  statsOf,
  usedAt,
} from "./cache-entries.ts";
import { folderSteps } from "./folder-steps.ts";
import { removeTree, walk } from "./folder-tree.ts";
import { enterFolder } from "./private-file.ts";

export function packageFolders({
  runtime_root,
  clock,
}: {
  readonly runtime_root: string;
  readonly clock: Clock;
}): PackageFolders {
  const all = (): readonly CacheEntry[] => foldersIn(cacheFolder(runtime_root, "packages"));
  const remove = (path: string): void => removeTree(path, folderSteps);
  return {
    environment: (capability) => environment(runtime_root, capability, clock),
    stats: () => statsOf(all()),
    prune: (bounds, scope = WHOLE_CACHE) => pruned(all(), { ...scope, bounds, remove }),
    clear: (capability, mode = "remove") => cleared(all(), { capability, mode, remove }),
  };
}

function environment(runtimeRoot: string, capability: string, clock: Clock): Readonly<Record<string, string>> {
  const own = capabilityFolder(capability);
  if (capabilityIn(own) !== capability) return {};
  const place = attempt(() => enterFolder(runtimeRoot, ["cache", "packages", own]));
  if (place?.kind !== "folder") return {};
  markUsed(place.path, clock.now());
  return packageEnvironment(place.path);
}

function foldersIn(folder: string): readonly CacheEntry[] {
  return capabilityFolders(folder).map(({ path, capability }) => {
    return { name: capability, path, capability, used_at: usedAt(path) ?? 0, bytes: bytesBelow(path) };
  });
}

/** Of what disappears meanwhile nothing is counted. */
function bytesBelow(folder: string): number {
  let bytes = 0;
  attempt(() => {
    for (const { kind, stats } of walk(folder)) if (kind === "file") bytes += stats.size;
  });
  return bytes;
}
