/**
 * Reads a whole file as text, or says what stands in the way.
 *
 * T1  One open, one read, one close; the fingerprint is that of the descriptor that was read.
 * T2  What a path can be is a value: missing, a folder, a pipe, a loop, not permitted, too large, not UTF-8, U+0000.
 * T3  Bytes are never replaced: text that is not UTF-8 is unreadable, at the line and column of its first bad byte.
 */

import { isUtf8 } from "node:buffer";
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { positionAt } from "../../core/registry/json-position.ts";
import type { Problem } from "../../core/result.ts";
import type { TextRead } from "../../ports/files.ts";
import { errnoOf, faultOf, pathProblem, problemAt } from "./file-fault.ts";
import { fingerprintOf } from "./fingerprint.ts";

export const MAX_TEXT_BYTES: number = 64 * 1024 * 1024;

export type BytesRead =
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly stats: BigIntStats }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly problem: Problem };

export function readText(path: string, maxBytes: number = MAX_TEXT_BYTES): TextRead {
  const read = readBytes(path, maxBytes);
  if (read.kind !== "bytes") return read;
  const decoded = decodeText(read.bytes, path);
  return typeof decoded === "string"
    ? { kind: "text", text: decoded, fingerprint: fingerprintOf(read.stats) }
    : { kind: "unreadable", problem: decoded };
}

/** T1, T2. A pipe that nobody writes to would hold a plain open for ever. */
export function readBytes(path: string, maxBytes: number): BytesRead {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      return readDescriptor(descriptor, { path, maxBytes });
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "missing" };
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return { kind: "unreadable", problem };
  }
}

function readDescriptor(descriptor: number, { path, maxBytes }: { readonly path: string; readonly maxBytes: number }): BytesRead {
  const stats = fstatSync(descriptor, { bigint: true });
  if (stats.isDirectory()) return { kind: "unreadable", problem: problemAt(path, "file_is_folder", "is a folder, not a file") };
  if (!stats.isFile())
    return { kind: "unreadable", problem: problemAt(path, "file_not_regular", "is a device, pipe or socket, not a file") };
  if (stats.size > BigInt(maxBytes)) {
    return { kind: "unreadable", problem: problemAt(path, "file_too_large", `has ${stats.size} bytes, more than ${maxBytes}`) };
  }
  return { kind: "bytes", bytes: readAll(descriptor, Number(stats.size)), stats };
}

/** As many bytes as the file had when it was asked; fewer if it was cut meanwhile. */
function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** T3. */
export function decodeText(bytes: Uint8Array, path: string): string | Problem {
  if (!isUtf8(bytes)) {
    const at = firstBadByte(bytes);
    return byteProblem({
      bytes,
      at,
      path,
      code: "file_not_utf8",
      saying: `is not UTF-8: byte ${at} is 0x${(bytes[at] ?? 0).toString(16)}`,
    });
  }
  const nul = bytes.indexOf(0);
  if (nul !== -1) return byteProblem({ bytes, at: nul, path, code: "file_has_nul", saying: `has U+0000 at byte ${nul}` });
  return decode(bytes);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

interface BadByte {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly path: string;
  readonly code: string;
  readonly saying: string;
}

function byteProblem({ bytes, at, path, code, saying }: BadByte): Problem {
  const before = decode(bytes.subarray(0, at));
  return { ...problemAt(path, code, saying), ...positionAt(before, before.length) };
}

/** Where the longest beginning that is UTF-8 ends. A beginning cut inside a character is found from its last 4 bytes. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 4) {
    const middle = characterStart(bytes, Math.floor((good + bad) / 2), good);
    if (middle === good) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else bad = middle;
  }
  while (good < bytes.length) {
    const length = [1, 2, 3, 4].find((size) => good + size <= bytes.length && isUtf8(bytes.subarray(good, good + size)));
    if (length === undefined) return good;
    good += length;
  }
  return good;
}

/** `at`, or up to 3 bytes before it, so that no character is cut; never before `floor`. */
function characterStart(bytes: Uint8Array, at: number, floor: number): number {
  let start = at;
  while (start > floor && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
