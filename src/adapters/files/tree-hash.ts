/**
 * The `TreeHasher` port: contents are read once and then known by fingerprint.
 *
 * Does not own: which files count (`tree-list.ts`), keeping digests from one process to the next (`file-digests.ts`).
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { FileDigests, TreeHash, TreeHasher, TreeHashRequest } from "../../ports/tree-hash.ts";
import { sha256Stream } from "./digest.ts";
import { faultOf, pathProblem } from "./file-fault.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { ifThere, listTree, placeOf, type TreeFile } from "./tree-list.ts";

const MAX_FILES = 50_000;
const MAX_BYTES: number = 1024 * 1024 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const BLOCK_BYTES = 1024 * 1024;
const READ_AT_ONCE: number = 8 * BLOCK_BYTES;
const SETTLE_NS = 2_000_000_000n;
const OWNER_EXECUTES = 0o100n;

export interface TreeHashOptions {
  readonly digests: FileDigests;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly max_files?: number;
  readonly max_bytes?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface Hashing extends Required<TreeHashOptions> {
  readonly root: string;
  /** Since others had their turn. */
  read: number;
}

export function treeHasher(options: TreeHashOptions): TreeHasher {
  const complete = { max_files: MAX_FILES, max_bytes: MAX_BYTES, now: Date.now, ...options };
  return { hash: (request) => hash(complete, request) };
}

async function hash(options: Required<TreeHashOptions>, request: TreeHashRequest): Promise<TreeHash> {
  try {
    const root = ifThere(() => realpathSync(request.folder));
    if (root === null || !ifThere(() => statSync(root))?.isDirectory()) return { kind: "missing" };
    return await hashed({ ...options, root, read: 0 }, request);
  } catch (error) {
    const problem = pathProblem(error, placeIn(error) ?? request.folder);
    if (problem === null) throw faultOf(error, request.folder);
    return { kind: "unreadable", problem };
  }
}

function placeIn(error: unknown): string | null {
  if (!(error instanceof Error && "path" in error)) return null;
  return typeof error.path === "string" || Buffer.isBuffer(error.path) ? error.path.toString() : null;
}

async function hashed(hashing: Hashing, request: TreeHashRequest): Promise<TreeHash> {
  const { root, env, max_files, max_bytes } = hashing;
  const listed = await listTree({ root, request, env, max_files });
  if (listed.kind === "unmatched") return listed;
  const files = listed.kind === "files" ? listed.files : null;
  const bytes = files?.reduce((sum, { stats }) => sum + (stats.isFile() ? Number(stats.size) : 0), 0) ?? 0;
  if (files === null || bytes > max_bytes) return { kind: "too_large", max_files, max_bytes }; // (H4)
  const tree = sha256Stream().update("loopx tree 1\0");
  for (const file of files) tree.update(Buffer.from(`${file.path}\0${await entryOf(hashing, file)}\0`, "latin1")); // (H1)
  return { kind: "hashed", tree_hash: tree.digest("hex"), files: files.length, bytes };
}

/** Neither text has U+0000 in it, so no two lists of entries are one text. */
async function entryOf(hashing: Hashing, file: TreeFile): Promise<string> {
  const { stats } = file;
  if (stats.isSymbolicLink()) return `link ${ifThere(() => readlinkSync(placeOf(hashing.root, file.path), "latin1")) ?? ""}`; // (H3)
  if (!stats.isFile()) return "other";
  const content = await contentOf(hashing, file);
  return `${(stats.mode & OWNER_EXECUTES) === 0n ? "file" : "program"} ${content ?? "gone"}`;
}

async function contentOf(hashing: Hashing, { path, stats }: TreeFile): Promise<string | null> {
  const place = placeOf(hashing.root, path);
  const key = place.toString("latin1");
  const known = hashing.digests.find(key, fingerprintOf(stats));
  if (known !== null) return known;
  const descriptor = ifThere(() => openSync(place, READ));
  if (descriptor === null) return null;
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) return null;
    const content = await readThrough(hashing, descriptor);
    const after = fingerprintOf(fstatSync(descriptor, { bigint: true }));
    if (after === fingerprintOf(before) && hasSettled(before, hashing.now())) hashing.digests.note(key, after, content);
    return content;
  } finally {
    closeSync(descriptor);
  }
}

async function readThrough(hashing: Hashing, descriptor: number): Promise<string> {
  const content = sha256Stream();
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let count = readSync(descriptor, block); count > 0; count = readSync(descriptor, block)) {
    content.update(block.subarray(0, count));
    await takingTurns(hashing, count);
  }
  return content.digest("hex");
}

/** A small file costs about as much as 16 KiB. */
async function takingTurns(hashing: Hashing, count: number): Promise<void> {
  hashing.read += Math.max(count, 16_384);
  if (hashing.read < READ_AT_ONCE) return;
  hashing.read = 0;
  await setImmediate();
}

/** A time of modification can be set to anything, that of the change cannot: both must have passed. */
function hasSettled({ mtimeNs, ctimeNs }: BigIntStats, now: number): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return latest + SETTLE_NS <= BigInt(Math.floor(now)) * 1_000_000n;
}
