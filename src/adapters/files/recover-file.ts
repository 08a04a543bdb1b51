/**
 * Ends what a kill left of replacing a file, and lists what is left anywhere.
 *
 * Z1  Only what holds no text of a person is removed; a save that was overtaken gets its name back, or is kept.
 * Z2  A temporary file is removed only when its process is gone and it has not changed for a minute: the process may run in
 *     another container, where its number means another process here.
 */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Leftover, Recovery } from "../../ports/files.ts";
import { errnoOf, faultOf } from "./file-fault.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { type LeftoverName, nameDigest, parseLeftoverName, textDigest } from "./leftover-names.ts";
import { putBack } from "./put-back.ts";
import { recoverInPlace } from "./write-in-place.ts";

const QUIET_MS = 60_000;

export function findLeftovers(folder: string, steps: FileSteps = fileSteps): readonly Leftover[] {
  return namesIn(folder, steps).map(({ path, name }) => ({ path, kind: name.kind, pid: name.pid }));
}

/** Whether `recoverFile` would find something to end. */
export function needsRecovery(path: string, steps: FileSteps = fileSteps): boolean {
  try {
    const target = realPathOr(path);
    const digest = nameDigest(basename(target));
    return namesIn(dirname(target), steps).some(({ path: leftover, name }) =>
      name.kind === "temporary" ? isAbandoned(leftover, name) : name.digests[0] === digest,
    );
  } catch (error) {
    throw faultOf(error, path);
  }
}

/** Only for the holder of the lock under which the file is replaced. */
export function recoverFile(path: string, steps: FileSteps = fileSteps): readonly Recovery[] {
  try {
    const target = realPathOr(path);
    const digest = nameDigest(basename(target));
    return namesIn(dirname(target), steps).flatMap(({ path: leftover, name }) => {
      const recovery =
        name.kind === "temporary"
          ? clearTemporary(leftover, { name, steps })
          : recoverOwn({ leftover, name, target, steps }, digest);
      return recovery === null ? [] : [recovery];
    });
  } catch (error) {
    throw faultOf(error, path);
  }
}

interface NamedLeftover {
  readonly path: string;
  readonly name: LeftoverName;
}

function namesIn(folder: string, steps: FileSteps): readonly NamedLeftover[] {
  return steps.list(folder).flatMap((fileName) => {
    const name = parseLeftoverName(fileName);
    return name === null ? [] : [{ path: join(folder, fileName), name }];
  });
}

function realPathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return path;
    throw error;
  }
}

interface Found {
  readonly leftover: string;
  readonly name: LeftoverName;
  readonly target: string;
  readonly steps: FileSteps;
}

function recoverOwn(found: Found, digest: string): Recovery | null {
  const { leftover, name, target, steps } = found;
  if (name.digests[0] !== digest) return null;
  if (name.kind === "journal") return recoverInPlace({ journal: leftover, target, steps });
  return name.kind === "backup" ? recoverBackup(found) : null;
}

// Z1
function recoverBackup({ leftover, name, target, steps }: Found): Recovery {
  const read = steps.read(leftover);
  const isFile = steps.inode(leftover) === steps.inode(target);
  const isOld = read.kind === "missing" || (read.kind === "bytes" && textDigest(read.bytes) === name.digests[1]);
  if (isFile || isOld) {
    steps.remove(leftover);
    return { kind: "cleared", leftover };
  }
  const kept = putBack({ backup: leftover, target, next: name.digests[2] ?? "", steps });
  steps.syncFolderOf(target);
  return kept === null ? { kind: "restored", leftover } : { kind: "kept", leftover, kept };
}

// Z2
function clearTemporary(leftover: string, { name, steps }: Pick<Found, "name" | "steps">): Recovery | null {
  if (!isAbandoned(leftover, name)) return null;
  steps.remove(leftover);
  return { kind: "cleared", leftover };
}

function isAbandoned(leftover: string, { pid }: LeftoverName): boolean {
  const changed = statSync(leftover, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && Date.now() - changed >= QUIET_MS && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}
