/**
 * Replaces a file that people edit too, so that a kill, a power cut or a save at the same instant loses nothing (design 3).
 *
 * Does not own: the lock (the caller holds it: only one LoopX process replaces a file at a time), merging, the file behind a
 * path (`replace-target.ts`), and what a kill leaves behind (`recover-file.ts`).
 *
 * X1  Nothing is written over a text that is not the expected one.
 * X2  At every instant the name holds the whole old or the whole new text, and the new one is on the disk before it has the name.
 * X3  The old file keeps a second name until it was read again. If a person saved into it meanwhile, their text gets its
 *     name back and the caller merges again.
 * X4  A symlink stays a symlink, mode and owner stay, and nothing is written outside the tree that the caller allows.
 * X5  Where the system refuses links or renames (a bind-mounted file), the text is written in place under a journal.
 *
 * Limit: a save by another program's rename between the last look at the inode and our rename is not seen, because no call
 * of Node exchanges two names. Taking the name away first and giving it only while it is free would see it, but leaves
 * readers without a file while the calls wait for the file system: measured under load, one reading in five.
 */
import { basename, dirname, join } from "node:path";
import type { Expected, PreparedText, Replacement, ReplaceOutcome } from "../../ports/files.ts";
import { sha256 } from "./digest.ts";
import { errnoOf, faultOf, pathProblem } from "./file-fault.ts";
import { type FileSteps, fileSteps } from "./file-steps.ts";
import { fingerprint } from "./fingerprint.ts";
import { leftoverName, nameDigest, textDigest } from "./leftover-names.ts";
import { fits, writeBeside } from "./prepare-text.ts";
import { putBack } from "./put-back.ts";
import { decodeText } from "./read-text.ts";
import { type Target, targetOf } from "./replace-target.ts";
import { writeInPlace } from "./write-in-place.ts";

export function replaceFile(replacement: Replacement, steps: FileSteps = fileSteps): ReplaceOutcome {
  const { path, expected, next } = replacement;
  try {
    const target = targetOf(replacement);
    if (target.kind !== "target") return target;
    const task = { ...target, expected, next: Buffer.from(next), steps };
    const { prepared } = replacement;
    if (prepared != null && fits(prepared, target)) return replaceTarget(task, prepared);
    const written = writeBeside(target, task.next, steps);
    try {
      return replaceTarget(task, written);
    } finally {
      steps.remove(written.temporary);
    }
  } catch (error) {
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return { kind: "refused", problem };
  }
}

interface Task extends Target {
  readonly expected: Expected;
  readonly next: Buffer;
  readonly steps: FileSteps;
}
interface Swap extends Task {
  readonly old: Buffer;
  readonly inode: bigint;
  readonly temporary: string;
}

/** X2: what was prepared is on the disk. */
function replaceTarget(task: Task, { temporary }: PreparedText): ReplaceOutcome {
  const { path, steps } = task;
  const read = steps.read(path);
  if (read.kind !== "bytes") return read;
  if (!isExpected(read.bytes, task.expected)) return changedTo(read.bytes, path); // X1
  return swap({ ...task, old: read.bytes, inode: read.stats.ino, temporary });
}

function isExpected(bytes: Buffer, expected: Expected): boolean {
  return expected.kind === "text" ? bytes.equals(Buffer.from(expected.text)) : sha256(bytes) === expected.sha256;
}

function changedTo(bytes: Uint8Array, path: string): ReplaceOutcome {
  const text = decodeText(bytes, path);
  return typeof text === "string" ? { kind: "changed", text } : { kind: "unreadable", problem: text };
}

function swap(task: Swap): ReplaceOutcome {
  const { path, old, next, inode, temporary, steps } = task;
  const digests = [nameDigest(basename(path)), textDigest(old), textDigest(next)];
  const backup = join(dirname(path), leftoverName("old", digests));
  const linked = attempt(() => steps.link(path, backup));
  if (linked === "not_here") return writeInPlace(task); // X5
  if (linked === "gone") return lookAgain(task); // X1
  if (steps.inode(backup) !== inode || steps.inode(path) !== inode) {
    steps.remove(backup);
    return lookAgain(task); // X1
  }
  if (attempt(() => steps.rename(temporary, path)) !== "done") {
    steps.remove(backup);
    return writeInPlace(task); // X5
  }
  return settle(task, backup);
}

/** X3. Twice, before and after the folder is synced: by then a save that was under way in the old file is over. */
function settle(task: Swap, backup: string): ReplaceOutcome {
  const { path, old, next, steps } = task;
  const isOld = holds(backup, old, steps);
  if (isOld) steps.syncFolderOf(path);
  if (!isOld || !holds(backup, old, steps)) {
    putBack({ backup, target: path, next: textDigest(next), steps });
    steps.syncFolderOf(path);
    return overtakenBy(path, steps);
  }
  steps.remove(backup);
  const print = fingerprint(path);
  return print === null ? { kind: "missing" } : { kind: "replaced", fingerprint: print };
}

/** A name that is gone holds nothing that could be lost. */
function holds(path: string, bytes: Buffer, steps: FileSteps): boolean {
  const read = steps.read(path);
  return read.kind === "missing" || (read.kind === "bytes" && read.bytes.equals(bytes));
}

function overtakenBy(path: string, steps: FileSteps): ReplaceOutcome {
  const read = steps.read(path);
  if (read.kind !== "bytes") return read;
  const text = decodeText(read.bytes, path);
  return typeof text === "string" ? { kind: "overtaken", text } : { kind: "unreadable", problem: text };
}

/** The file was replaced by another between reading it and linking it. */
function lookAgain({ path, steps }: Swap): ReplaceOutcome {
  const read = steps.read(path);
  return read.kind === "bytes" ? changedTo(read.bytes, path) : read;
}

const NOT_HERE: ReadonlySet<string> = new Set(["EXDEV", "EBUSY", "EPERM", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EACCES"]);

/** `not_here`: this file system does not do that with this file. `gone`: the file lost its name while it was looked up. */
function attempt(step: () => void): "done" | "not_here" | "gone" {
  try {
    step();
    return "done";
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (NOT_HERE.has(errno)) return "not_here";
    if (errno === "ENOENT") return "gone";
    throw error;
  }
}
