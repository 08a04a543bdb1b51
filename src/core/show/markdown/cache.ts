/** `cache stats`, `prune` and `clear` for people. */
import type { CacheRemovedPayload, CacheStatsPayload } from "../cache.ts";
import { code } from "../escape.ts";
import { counted, list, page, table } from "./table.ts";

const ENTRY = ["entry", "entries"] as const;

export function cacheStatsPage({ caches, entries, bytes, limits }: CacheStatsPayload): string {
  const rows = caches.flatMap(({ kind, entries: own, bytes: size, capabilities }) => [
    [kind, "", String(own), String(size)],
    ...capabilities.map((each) => ["", code(each.capability), String(each.entries), String(each.bytes)]),
  ]);
  const bound = (limit: number): string => (limit === 0 ? "no limit" : String(limit));
  return page(
    [`# ${counted(entries, ...ENTRY)}, ${bytes} bytes cached`],
    table(["kind", "capability", "entries", "bytes"], rows),
    list([`limits of verifier: ${bound(limits.max_cache_entries)} entries, ${bound(limits.max_cache_bytes)} bytes`]),
    [`Next: ${code("loopx cache prune --dry-run")}`],
  );
}

export function cacheRemovedPage({ removed, entries, bytes, dry_run }: CacheRemovedPayload): string {
  const rows = removed.map((each) => [each.kind, String(each.entries), String(each.bytes)]);
  const headline = `${counted(entries, ...ENTRY)}, ${bytes} bytes ${dry_run ? "would be removed" : "removed"}`;
  return page([`# ${headline}`], table(["kind", "entries", "bytes"], rows), [`Next: ${code("loopx cache stats")}`]);
}
