/**
 * What is kept of an output of any length: its beginning and its end.
 *
 * K1  Memory is bounded by `max_bytes`, the mark included, and no chunk is referenced after it was added.
 * K2  What is left out is counted, and a line in its place says how many bytes it was.
 * K3  An output that fits is kept byte for byte.
 */

export interface BoundedOutput {
  readonly bytes: Uint8Array;
  /** How long the output was. */
  readonly total_bytes: number;
  /** How many bytes of it are not in `bytes`. */
  readonly dropped_bytes: number;
}

export interface OutputKeeper {
  add(chunk: Uint8Array): void;
  kept(): BoundedOutput;
}

const LEAST_BYTES = 256;
const MARK_BYTES = 64;

export function keepOutput(maxBytes: number): OutputKeeper {
  const most = Math.max(LEAST_BYTES, maxBytes);
  const head = new Uint8Array(most >> 1);
  const tail = lastBytes(most - head.length);
  let total = 0;
  const add = (chunk: Uint8Array): void => {
    const toHead = Math.min(chunk.length, Math.max(0, head.length - total));
    head.set(chunk.subarray(0, toHead), Math.min(total, head.length));
    total += chunk.length;
    if (toHead < chunk.length) tail.add(chunk.subarray(toHead));
  };
  const kept = (): BoundedOutput => {
    if (total <= most) return whole(head.subarray(0, Math.min(total, head.length)), tail.bytes(), total); // (K3)
    const end = tail.bytes().subarray(MARK_BYTES);
    const dropped_bytes = total - head.length - end.length;
    const bytes = joined(head, mark(dropped_bytes), end); // (K2)
    return { bytes, total_bytes: total, dropped_bytes };
  };
  return { add, kept };
}

/** The same of an output that is at hand as a whole. */
export function boundOutput(bytes: Uint8Array, maxBytes: number): BoundedOutput {
  const keeper = keepOutput(maxBytes);
  keeper.add(bytes);
  return keeper.kept();
}

function whole(head: Uint8Array, tail: Uint8Array, total_bytes: number): BoundedOutput {
  return { bytes: joined(head, tail), total_bytes, dropped_bytes: 0 };
}

/** ASCII: the core has no encoder, and needs none for this. */
function mark(dropped: number): Uint8Array {
  return Uint8Array.from(`\n[loopx left out ${dropped} bytes here]\n`, (character) => character.charCodeAt(0));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** K1: a ring, because a view of a chunk would keep the whole chunk alive. */
function lastBytes(size: number): { add(chunk: Uint8Array): void; bytes(): Uint8Array } {
  const ring = new Uint8Array(size);
  let added = 0;
  const add = (chunk: Uint8Array): void => {
    const part = chunk.subarray(Math.max(0, chunk.length - size));
    const from = (added + chunk.length - part.length) % size;
    const first = part.subarray(0, size - from);
    ring.set(first, from);
    ring.set(part.subarray(first.length), 0);
    added += chunk.length;
  };
  const bytes = (): Uint8Array => {
    if (added <= size) return ring.subarray(0, added);
    const start = added % size;
    return joined(ring.subarray(start), ring.subarray(0, start));
  };
  return { add, bytes };
}
