/**
 * Reads `goals/<goal_id>/runs/index.jsonl` (`ports/run-files.ts`).
 *
 * Reading is synchronous: a call reads at most what it is asked for, and callers ask for a megabyte at most.
 */
import { type BigIntStats, closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GoalId } from "../../core/id.ts";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import type { Damage } from "../../core/runs/run.ts";
import type { DamagedIndex, IndexFacts, NoIndex, OpenIndex, RunFiles } from "../../ports/run-files.ts";
import { sha256 } from "./digest.ts";
import { errorCode, locateIndex, runsFolder } from "./run-index-place.ts";

const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const EPOCH = "1970-01-01T00:00:00.000Z" as Instant;
const NONE: Uint8Array = new Uint8Array(0);

export function runFiles(options: { readonly runtime_root: string }): RunFiles {
  return {
    probe: (goalId) => probe(options.runtime_root, goalId),
    open: (goalId) => open(options.runtime_root, goalId),
    has: (goalId, name) => existsSync(join(runsFolder(options.runtime_root, goalId), name)),
  };
}

function probe(root: string, goalId: GoalId): ReturnType<RunFiles["probe"]> {
  const place = locateIndex(root, goalId);
  if (place.kind !== "found") return place;
  try {
    return checked(statSync(place.path, { bigint: true }), place.path);
  } catch (error) {
    return absence(error, place.path);
  }
}

function open(root: string, goalId: GoalId): OpenIndex | NoIndex | DamagedIndex {
  const place = locateIndex(root, goalId);
  if (place.kind !== "found") return place;
  let descriptor: number;
  try {
    descriptor = openSync(place.path, READ_ONLY); // (X1) the path is a real one: a link there now was put there since
  } catch (error) {
    return absence(error, place.path);
  }
  const found = attempt(place.path, () => checked(fstatSync(descriptor, { bigint: true }), place.path));
  if ("kind" in found && found.kind === "found") return openIndex(descriptor, found.facts);
  closeSync(descriptor);
  return "code" in found ? { kind: "damaged", damage: found } : found;
}

function openIndex(descriptor: number, facts: IndexFacts): OpenIndex {
  const buffer: { bytes: Uint8Array } = { bytes: NONE };
  const read = (from: number, length: number): Uint8Array | Damage =>
    attempt(facts.path, () => {
      if (buffer.bytes.length < length) buffer.bytes = new Uint8Array(length);
      return buffer.bytes.subarray(0, fill(descriptor, buffer.bytes.subarray(0, length), from));
    });
  return {
    kind: "open",
    facts,
    read,
    sha256: (from, to) => {
      const bytes = attempt(facts.path, () => {
        const own = new Uint8Array(Math.max(0, to - from));
        return own.subarray(0, fill(descriptor, own, from));
      });
      return bytes instanceof Uint8Array ? sha256(bytes) : bytes;
    },
    close: () => closeSync(descriptor),
  };
}

/** Reads until the bytes are full or the file ends; answers how many there are. */
function fill(descriptor: number, bytes: Uint8Array, from: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function checked(stats: BigIntStats, path: string): { readonly kind: "found"; readonly facts: IndexFacts } | DamagedIndex {
  if (!stats.isFile()) return { kind: "damaged", damage: { code: "not_a_file", line: 0, message: `${path} is no regular file` } };
  const { ino, size, mtimeNs, ctimeNs, mtimeMs } = stats;
  const facts = {
    path,
    file: String(ino),
    version: `${size}.${mtimeNs}.${ctimeNs}`,
    size: Number(size),
    modified_at: instantFromEpoch(Number(mtimeMs)) ?? EPOCH,
  };
  return { kind: "found", facts };
}

/** X2. */
function attempt<T>(path: string, work: () => T): T | Damage {
  try {
    return work();
  } catch (error) {
    return unreadable(error, path);
  }
}

function absence(error: unknown, path: string): NoIndex | DamagedIndex {
  return errorCode(error) === "ENOENT" ? { kind: "missing" } : { kind: "damaged", damage: unreadable(error, path) };
}

function unreadable(error: unknown, path: string): Damage {
  return { code: "unreadable", line: 0, message: `${path} cannot be read (${errorCode(error)})` };
}
