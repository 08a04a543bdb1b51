/**
 * The `Blobs` port as a folder per goal: `goals/<goal_id>/evidence/<sha256>.gz`.
 *
 * Does not own: folders and single files (`private-file.ts`).
 */
import { join } from "node:path";
import type { GoalId } from "../../core/id.ts";
import { boundOutput } from "../../core/verify/bounded-output.ts";
import { type BlobRead, type Blobs, MAX_BLOB_BYTES, type PutBlob } from "../../ports/blobs.ts";
import { sha256 } from "./digest.ts";
import { problemAt } from "./file-fault.ts";
import { enterFolder, readPrivate, writePrivate } from "./private-file.ts";
import { goalsFolder } from "./run-index-place.ts";

const FOLDER = "evidence";
const SHA256 = /^[0-9a-f]{64}$/;
/** What cannot be compressed grows by a few bytes. */
const MAX_STORED_BYTES: number = MAX_BLOB_BYTES + 4096;

export function fileBlobs({ runtime_root }: { readonly runtime_root: string }): Blobs {
  const goals = goalsFolder(runtime_root);
  return {
    put: async (goalId, bytes) => put(goals, goalId, bytes),
    get: async (goalId, digest) => get(goals, goalId, digest),
  };
}

function put(goals: string, goalId: GoalId, input: Uint8Array): PutBlob {
  const place = enterFolder(goals, [goalId, FOLDER]);
  if (place.kind === "refused") return place;
  const { bytes, dropped_bytes } = boundOutput(input, MAX_BLOB_BYTES); // (B3)
  const digest = sha256(bytes);
  const path = join(place.path, `${digest}.gz`);
  const blob = { kind: "stored", sha256: digest, bytes: bytes.length, dropped_bytes } as const;
  const standing = readPrivate(path, MAX_STORED_BYTES);
  if (standing.kind === "bytes" && isBlob(standing.bytes, digest)) {
    return { ...blob, stored_bytes: standing.bytes.length, is_new: false }; // (B1)
  }
  const stored = compressed(bytes);
  const problem = writePrivate(path, stored, "durable"); // (B2)
  return problem === null ? { ...blob, stored_bytes: stored.length, is_new: true } : { kind: "refused", problem };
}

function get(goals: string, goalId: GoalId, digest: string): BlobRead {
  if (!SHA256.test(digest)) return { kind: "missing" };
  const path = join(goals, goalId, FOLDER, `${digest}.gz`);
  const read = readPrivate(path, MAX_STORED_BYTES);
  if (read.kind === "missing") return read;
  if (read.kind === "unusable") return { kind: "unreadable", problem: read.problem };
  const bytes = decompressed(read.bytes);
  if (bytes !== null && sha256(bytes) === digest) return { kind: "blob", bytes }; // (B4)
  return { kind: "unreadable", problem: problemAt(path, "blob_damaged", "does not hold what its name says") };
}

function isBlob(stored: Uint8Array, digest: string): boolean {
  const bytes = decompressed(stored);
  return bytes !== null && sha256(bytes) === digest;
}

/** Fetched by the few that need it, then. */
function zlib(): typeof import("node:zlib") {
  return process.getBuiltinModule("node:zlib");
}

const OS_BYTE = 9;
const UNKNOWN_OS = 0xff;

/** No time and no operating system in the header: the same bytes give the same file. */
function compressed(bytes: Uint8Array): Uint8Array {
  const stored = zlib().gzipSync(bytes, { level: 9 });
  stored[OS_BYTE] = UNKNOWN_OS;
  return stored;
}

/** Null for what is no gzip, is cut short, or would be larger than any blob. */
function decompressed(stored: Uint8Array): Uint8Array | null {
  try {
    return zlib().gunzipSync(stored, { maxOutputLength: MAX_BLOB_BYTES });
  } catch {
    return null;
  }
}
