/**
 * The single steps that replacing a file is made of. A step is all that can happen between two kills, and a test can put
 * anything it likes between two of them.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errnoOf, faultOf } from "./file-fault.ts";
import { type BytesRead, MAX_TEXT_BYTES, readBytes } from "./read-text.ts";

export interface NewFile {
  readonly mode: number;
  /** Kept as far as this process may. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** `durable`: on the disk before the step ends. */
  readonly keep: "durable" | "volatile";
}

export interface FileSteps {
  readonly read: (path: string) => BytesRead;
  /** `null` when nothing has that name. */
  readonly inode: (path: string) => bigint | null;
  readonly list: (folder: string) => readonly string[];
  /** Fails when the name is taken. */
  readonly create: (path: string, bytes: Uint8Array, options: NewFile) => void;
  /** Onto the bytes that are there. */
  readonly overwrite: (path: string, bytes: Uint8Array) => void;
  readonly link: (from: string, to: string) => void;
  readonly rename: (from: string, to: string) => void;
  /** Of a name that may be gone already. */
  readonly remove: (path: string) => void;
  /** Makes the names in the folder durable. */
  readonly syncFolderOf: (path: string) => void;
}

export const fileSteps: FileSteps = {
  read: (path) => readBytes(path, MAX_TEXT_BYTES),
  inode: inodeOf,
  list: listFolder,
  create: createWhole,
  overwrite,
  link: linkSync,
  rename: renameSync,
  remove: removeIfThere,
  syncFolderOf,
};

function inodeOf(path: string): bigint | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    throw faultOf(error, folder);
  }
}

function createWhole(path: string, bytes: Uint8Array, { mode, owner, keep }: NewFile): void {
  const descriptor = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    owner === undefined ? mode : 0o600,
  );
  try {
    if (owner !== undefined) takeOver(descriptor, { owner, mode });
    writeAll(descriptor, bytes);
    if (keep === "durable") fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The owner first: changing it clears bits of the mode. */
function takeOver(
  descriptor: number,
  { owner, mode }: { readonly owner: { readonly uid: number; readonly gid: number }; readonly mode: number },
): void {
  try {
    fchownSync(descriptor, owner.uid, owner.gid);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
  fchmodSync(descriptor, mode);
}

function overwrite(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    writeAll(descriptor, bytes);
    ftruncateSync(descriptor, bytes.length); // last: the file is at no instant empty
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written, bytes.length - written, written);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Some network and user-space file systems do not sync folders; they say so with EINVAL. */
function syncFolderOf(path: string): void {
  const descriptor = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (errnoOf(error) !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
