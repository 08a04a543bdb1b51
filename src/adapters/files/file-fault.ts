/**
 * Errors of the file system: those that say what a path is become codes, all others are faults.
 */
import type { Problem } from "../../core/result.ts";
import { Fault } from "../../errors.ts";

const SAYINGS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  EISDIR: ["file_is_folder", "is a folder, not a file"],
  ENOTDIR: ["file_parent_not_folder", "has a file in the place of a folder on its path"],
  EEXIST: ["file_parent_not_folder", "has a file in the place of a folder on its path"],
  ELOOP: ["file_symlink_loop", "is a symlink that leads nowhere, or one too many"],
  EACCES: ["file_not_permitted", "may not be opened"],
  EPERM: ["file_not_permitted", "may not be opened"],
  ENAMETOOLONG: ["file_name_too_long", "has a name that is too long"],
  ENXIO: ["file_not_regular", "is a device, pipe or socket, not a file"],
};

export function errnoOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** What an error says about the path itself; `null` when it says that the world failed. */
export function pathProblem(error: unknown, path: string): Problem | null {
  const saying = SAYINGS[errnoOf(error) ?? ""];
  return saying === undefined ? null : problemAt(path, saying[0], saying[1]);
}

export function problemAt(path: string, code: string, saying: string): Problem {
  return { path, code, message: `${path} ${saying}` };
}

const FAULTS: Readonly<Record<string, readonly [code: string, hint: string]>> = {
  ENOSPC: ["disk_full", "free some space on that disk and run the command again"],
  EDQUOT: ["disk_full", "the disk quota is used up"],
  EROFS: ["read_only", "that disk is mounted read-only"],
};

/** For everything that is no `pathProblem`. */
export function faultOf(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (error instanceof Fault || errno === null) return error;
  const [code, hint] = FAULTS[errno] ?? ["file_failed", "look at the disk that this path is on"];
  return new Fault({ code, message: `${path}: ${errno}`, hint, cause: error });
}
