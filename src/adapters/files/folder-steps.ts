/**
 * The single steps that moving a folder is made of. A step is all that can happen between two kills, and a test can put
 * anything it likes between two of them.
 */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lchownSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { sha256Stream } from "./digest.ts";
import { errnoOf } from "./file-fault.ts";

/** Names of files are bytes: those that are no UTF-8 are moved like all others. */
export type FilePath = string | Buffer;

export interface FolderSteps {
  /** Fails when the name is taken. */
  readonly makeFolder: (path: FilePath) => void;
  /** Its bytes are on the disk before the step ends; fails when the name is taken. Answers their SHA-256. */
  readonly copyFile: (from: FilePath, to: FilePath) => string;
  readonly copyLink: (from: FilePath, to: FilePath) => void;
  /** Mode, owner and times of an entry, as far as this process may. */
  readonly dress: (path: FilePath, as: Stats) => void;
  readonly append: (path: FilePath, text: string) => void;
  readonly rename: (from: FilePath, to: FilePath) => void;
  readonly removeFile: (path: FilePath) => void;
  readonly removeFolder: (path: FilePath) => void;
  /** Makes a file's bytes, or the names in a folder, durable. */
  readonly sync: (path: FilePath) => void;
}

export const folderSteps: FolderSteps = {
  makeFolder: (path) => mkdirSync(path),
  copyFile,
  copyLink: (from, to) => symlinkSync(readlinkSync(from, "buffer"), to),
  dress,
  append: (path, text) => appendFileSync(path, text, { mode: 0o644, flag: "a" }),
  rename: renameSync,
  removeFile: unlinkSync,
  removeFolder: rmdirSync,
  sync,
};

const CHUNK = 1 << 20;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function copyFile(from: FilePath, to: FilePath): string {
  const source = openSync(from, READ);
  try {
    const target = openSync(to, CREATE, 0o600);
    try {
      const digest = pump(source, (bytes) => writeAll(target, bytes));
      fsyncSync(target);
      return digest;
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** SHA-256 of a file as it is read now. */
export function digestOf(path: FilePath): string {
  const descriptor = openSync(path, READ);
  try {
    return pump(descriptor, () => undefined);
  } finally {
    closeSync(descriptor);
  }
}

function pump(descriptor: number, use: (bytes: Uint8Array) => void): string {
  const hash = sha256Stream();
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const count = readSync(descriptor, buffer, 0, CHUNK, null);
    if (count === 0) return hash.digest("hex");
    const bytes = buffer.subarray(0, count);
    hash.update(bytes);
    use(bytes);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written, bytes.length - written);
}

/** The owner first: changing it clears bits of the mode. */
function dress(path: FilePath, { uid, gid, mode, atimeMs, mtimeMs }: Stats): void {
  try {
    lchownSync(path, uid, gid);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
  if ((mode & constants.S_IFMT) !== constants.S_IFLNK) chmodSync(path, mode & 0o7777);
  lutimesSync(path, atimeMs / 1000, mtimeMs / 1000);
}

/** Some network and user-space file systems do not sync folders; they say so with EINVAL. */
function sync(path: FilePath): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (errnoOf(error) !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
