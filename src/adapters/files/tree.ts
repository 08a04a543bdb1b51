/** Folder entries from the file system. What cannot be looked at is as if it were not there: reading it will say why. */
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import { compareText } from "../../core/show/rank.ts";
import type { FolderEntry, Tree } from "../../ports/tree.ts";

export const fileTree: Tree = { look, realPath, changedAt, entries, bytesBelow };

function look(path: string): FolderEntry["kind"] | "missing" {
  const stats = attempt(() => lstatSync(path));
  return stats === null ? "missing" : kindOf(stats);
}

function realPath(path: string): string | null {
  return attempt(() => realpathSync(path));
}

function changedAt(path: string): Instant | null {
  const stats = attempt(() => statSync(path));
  return stats === null ? null : instantFromEpoch(stats.mtimeMs);
}

function entries(path: string): readonly FolderEntry[] {
  const found = attempt(() => readdirSync(path, { withFileTypes: true })) ?? [];
  return found.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => compareText(a.name, b.name));
}

function bytesBelow(path: string): number {
  const found = attempt(() => readdirSync(path, { withFileTypes: true })) ?? [];
  return found.reduce((sum, entry) => sum + bytesOf(join(path, entry.name), entry), 0);
}

function bytesOf(path: string, entry: Dirent): number {
  if (entry.isDirectory()) return bytesBelow(path);
  return entry.isFile() ? (attempt(() => lstatSync(path).size) ?? 0) : 0;
}

function kindOf(entry: Stats | Dirent): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}

function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
