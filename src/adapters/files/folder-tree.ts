/**
 * Whole folders: what is in one, a copy of one, and its removal.
 *
 * T1  Links are entries of their own and never followed.
 * T2  A copy has the bytes, names, modes and times of what was copied; each file is read again before it counts. Owners are
 *     kept as far as this process may. Hard links become files of their own.
 */
import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { Fault } from "../../errors.ts";
import { sha256Stream } from "./digest.ts";
import { errnoOf } from "./file-fault.ts";
import { digestOf, type FolderSteps } from "./folder-steps.ts";

export interface TreeEntry {
  /** Below the folder; empty for the folder itself. */
  readonly path: Buffer;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly stats: Stats;
}

const SLASH = Buffer.from("/");

export function below(folder: string, path: Buffer): Buffer {
  return path.length === 0 ? Buffer.from(folder) : Buffer.concat([Buffer.from(folder), SLASH, path]);
}

/** A folder comes before what is in it, names in byte order; `skips` are names at the top. */
export function* walk(folder: string, skips: (name: string) => boolean = () => false): Generator<TreeEntry> {
  const root = entryAt(folder, Buffer.alloc(0));
  yield root;
  if (root.kind === "folder") yield* walkIn(folder, { path: root.path, skips });
}

function* walkIn(
  folder: string,
  { path, skips }: { readonly path: Buffer; readonly skips: (name: string) => boolean },
): Generator<TreeEntry> {
  const names = readdirSync(below(folder, path), { encoding: "buffer" }).sort(Buffer.compare);
  for (const name of names) {
    if (skips(name.toString())) continue;
    const entry = entryAt(folder, path.length === 0 ? name : Buffer.concat([path, SLASH, name]));
    yield entry;
    if (entry.kind === "folder") yield* walkIn(folder, { path: entry.path, skips: () => false });
  }
}

function entryAt(folder: string, path: Buffer): TreeEntry {
  const stats = lstatSync(below(folder, path));
  return { path, kind: kindOf(stats), stats };
}

function kindOf(stats: Stats): TreeEntry["kind"] {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

/** Differs as soon as anything in the folder was changed. */
export function stateOf(folder: string): string {
  const hash = sha256Stream();
  for (const { path, kind, stats } of walk(folder)) {
    hash.update(path).update(`\0${kind} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino} ${stats.mode}\0`);
  }
  return hash.digest("hex");
}

/** Path to SHA-256 of the files that were copied. */
export async function copyTree(from: string, to: string, steps: FolderSteps): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const folders: TreeEntry[] = [];
  for (const entry of walk(from)) {
    const target = below(to, entry.path);
    if (entry.kind === "folder") folders.push(entry);
    copyEntry({ source: below(from, entry.path), target, entry, steps, digests });
    await setImmediate();
  }
  for (const { path, stats } of folders.toReversed()) {
    steps.sync(below(to, path));
    steps.dress(below(to, path), stats);
  }
  return digests;
}

interface Copying {
  readonly source: Buffer;
  readonly target: Buffer;
  readonly entry: TreeEntry;
  readonly steps: FolderSteps;
  readonly digests: Map<string, string>;
}

function copyEntry({ source, target, entry, steps, digests }: Copying): void {
  switch (entry.kind) {
    case "folder":
      steps.makeFolder(target);
      return; // its mode and times once it is full
    case "link":
      steps.copyLink(source, target);
      break;
    case "file": {
      const digest = steps.copyFile(source, target);
      if (digestOf(target) !== digest) throw badCopy(target); // (T2)
      digests.set(entry.path.toString(), digest);
      break;
    }
    case "other":
      throw new Fault({ code: "file_failed", message: `${source.toString()} is a pipe, socket or device and cannot be copied.` });
  }
  steps.dress(target, entry.stats);
}

function badCopy(path: Buffer): Fault {
  return new Fault({
    code: "file_failed",
    message: `${path.toString()} does not read back as it was written.`,
    hint: "look at the disk that this path is on",
  });
}

/** Whether everything in `part` stands in `whole` too: entries of one kind, files of one size and time, links to one place. */
export function isWithin(part: string, whole: string, skips: (name: string) => boolean): boolean {
  for (const { path, kind, stats } of walk(part, skips)) {
    const other = lstatSync(below(whole, path), { throwIfNoEntry: false });
    if (other === undefined || kindOf(other) !== kind) return false;
    if (kind === "file" && (other.size !== stats.size || Math.abs(other.mtimeMs - stats.mtimeMs) > 1)) return false;
    if (kind === "link" && !sameLink(below(part, path), below(whole, path))) return false;
  }
  return true;
}

function sameLink(a: Buffer, b: Buffer): boolean {
  return readlinkSync(a, "buffer").equals(readlinkSync(b, "buffer"));
}

/** Also of one that is not there, half removed, or being removed by another process. */
export function removeTree(folder: string, steps: FolderSteps): void {
  while (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) ifThere(() => removeOnce(folder, steps));
}

function removeOnce(folder: string, steps: FolderSteps): void {
  const folders: Buffer[] = [];
  for (const { path, kind, stats } of walk(folder)) {
    const at = below(folder, path);
    if (kind === "folder") folders.push(opened(at, stats));
    else ifThere(() => steps.removeFile(at));
  }
  for (const at of folders.toReversed()) ifThere(() => steps.removeFolder(at));
}

/** Names in a folder that its owner may not write to cannot be removed. */
function opened(path: Buffer, stats: Stats): Buffer {
  if ((stats.mode & 0o700) !== 0o700) chmodSync(path, (stats.mode & 0o7777) | 0o700);
  return path;
}

export function ifThere(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
