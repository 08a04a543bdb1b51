/**
 * Where a goal's runs really are, through links that stay inside the goals folder and never out of it.
 */
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { GoalId } from "../../core/id.ts";
import type { DamagedIndex, NoIndex } from "../../ports/run-files.ts";

export const INDEX_NAME = "index.jsonl";

export function goalsFolder(root: string): string {
  return join(root, "goals");
}

export function runsFolder(root: string, goalId: GoalId): string {
  return join(goalsFolder(root), goalId, "runs");
}

/** The real path of the index. */
export function locateIndex(
  root: string,
  goalId: GoalId,
): { readonly kind: "found"; readonly path: string } | NoIndex | DamagedIndex {
  const path = join(runsFolder(root, goalId), INDEX_NAME);
  try {
    const real = realpathSync.native(path);
    if (isInside(real, realpathSync.native(goalsFolder(root)))) return { kind: "found", path: real };
    return {
      kind: "damaged",
      damage: { code: "outside_root", line: 0, message: `${path} is a link that leaves the goals folder` },
    };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return { kind: "missing" };
    const message = `${path} cannot be read (${code})`;
    return { kind: "damaged", damage: { code: code === "ENOTDIR" ? "not_a_file" : "unreadable", line: 0, message } };
  }
}

/** Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The file system's name for what went wrong. */
export function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown";
}
