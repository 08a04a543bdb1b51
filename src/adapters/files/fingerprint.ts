/**
 * Whether a file is still the one that was read, without reading it.
 *
 * F1  A fingerprint changes with size, modification time, change time and inode, in nanoseconds where the system has them.
 * F2  It proves nothing while the file was changed less than two seconds before it was read: a second change in the same
 *     tick of the file system's clock would not show. Nor when the file is dated in the future.
 */
import { type BigIntStats, statSync } from "node:fs";
import { epochOf, type Instant } from "../../core/instant.ts";
import type { Fingerprint } from "../../ports/files.ts";
import { errnoOf, faultOf } from "./file-fault.ts";

const SETTLE_MS = 2000;

/** F1. */
export function fingerprintOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): Fingerprint {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`;
}

/** `null` when there is nothing, or only a symlink that leads nowhere. */
export function fingerprint(path: string): Fingerprint | null {
  try {
    return fingerprintOf(statSync(path, { bigint: true }));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(errnoOf(error) ?? "")) return null;
    throw faultOf(error, path);
  }
}

/** F2. */
export function isSettled(print: Fingerprint, readAt: Instant): boolean {
  const changed = /^\d+:(-?\d+):/.exec(print)?.[1];
  return changed !== undefined && BigInt(changed) + BigInt(SETTLE_MS) * 1_000_000n <= BigInt(epochOf(readAt)) * 1_000_000n;
}
