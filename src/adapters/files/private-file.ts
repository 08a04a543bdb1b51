/**
 * Files that are LoopX's own and only their owner's: outputs, verdicts, digests.
 *
 * P1  A link in the place of a file is never read, and below the folder that the caller trusts nothing is written through a
 *     link or over a folder.
 * P2  A file has its name whole from the first instant, with mode 0600.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Problem } from "../../core/result.ts";
import { errnoOf, faultOf, pathProblem, problemAt } from "./file-fault.ts";
import { fileSteps, type NewFile } from "./file-steps.ts";
import { leftoverName } from "./leftover-names.ts";

const MODE = 0o600;
const FOLDER_MODE = 0o700;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type PrivateRead =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly problem: Problem };

export type PrivatePlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "refused"; readonly problem: Problem };

export function readPrivate(path: string, maxBytes: number): PrivateRead {
  try {
    const stands = standsInTheWay(path, "file");
    if (stands !== null) return { kind: "unusable", problem: stands };
    const descriptor = openSync(path, READ);
    try {
      const { size } = fstatSync(descriptor);
      if (size > maxBytes)
        return { kind: "unusable", problem: problemAt(path, "file_too_large", `has more than ${maxBytes} bytes`) };
      return { kind: "bytes", bytes: readFileSync(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "missing" };
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return { kind: "unusable", problem };
  }
}

/** Null when it stands there, in a folder that is there. */
export function writePrivate(path: string, bytes: Uint8Array, keep: NewFile["keep"]): Problem | null {
  const temporary = join(dirname(path), leftoverName("tmp"));
  try {
    const stands = standsInTheWay(path, "file");
    if (stands !== null) return stands;
    fileSteps.create(temporary, bytes, { mode: MODE, keep });
    renameOrRemove(temporary, path);
    if (keep === "durable") fileSteps.syncFolderOf(path);
    return null;
  } catch (error) {
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return problem;
  }
}

function renameOrRemove(temporary: string, path: string): void {
  try {
    fileSteps.rename(temporary, path);
  } catch (error) {
    fileSteps.remove(temporary);
    throw error;
  }
}

/** Makes what is missing of `trusted/…segments`; the last folder is its owner's alone. */
export function enterFolder(trusted: string, segments: readonly string[]): PrivatePlace {
  let path = trusted;
  try {
    mkdirSync(trusted, { recursive: true });
    for (const [at, segment] of segments.entries()) {
      path = join(path, segment);
      const stands = enter(path, at === segments.length - 1 ? FOLDER_MODE : undefined);
      if (stands !== null) return { kind: "refused", problem: stands };
    }
    return { kind: "folder", path };
  } catch (error) {
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return { kind: "refused", problem };
  }
}

function enter(path: string, mode: number | undefined): Problem | null {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  return standsInTheWay(path, "folder");
}

/** P1. Null when the place is free or holds what belongs there. */
function standsInTheWay(path: string, belongs: "file" | "folder"): Problem | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (belongs === "file" ? found.isFile() : found.isDirectory())) return null;
  if (found.isSymbolicLink()) return problemAt(path, "file_is_link", "is a link, and none is followed here");
  if (found.isDirectory()) return problemAt(path, "file_is_folder", "is a folder, not a file");
  return problemAt(path, "file_not_regular", `is no ${belongs}`);
}
