/**
 * The file that a replacement is for, where its links lead.
 *
 * R1  A symlink stays a symlink, and nothing is written outside the tree that the caller allows.
 */
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { sep } from "node:path";
import type { Replacement, ReplaceOutcome } from "../../ports/files.ts";
import { errnoOf, problemAt } from "./file-fault.ts";

export type NoTarget = Extract<ReplaceOutcome, { kind: "missing" | "refused" }>;

export interface Target {
  readonly path: string;
  readonly stats: Stats;
}

export function targetOf({
  path,
  within,
}: Pick<Replacement, "path" | "within">): ({ readonly kind: "target" } & Target) | NoTarget {
  const real = realPathOrNull(path);
  if (real === null) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { kind: "missing" };
    return refused(path, "file_symlink_loop", "is a symlink that leads nowhere");
  }
  // R1
  if (within !== undefined && !isInside(realpathSync(within), real))
    return refused(path, "file_outside_tree", `is ${real}, outside ${within}`);
  const stats = lstatSync(real);
  if (stats.isDirectory()) return refused(path, "file_is_folder", "is a folder, not a file");
  if (!stats.isFile()) return refused(path, "file_not_regular", "is a device, pipe or socket, not a file");
  return { kind: "target", path: real, stats };
}

function refused(path: string, code: string, saying: string): NoTarget {
  return { kind: "refused", problem: problemAt(path, code, saying) };
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
