/**
 * Writes onto the bytes of a file whose name cannot be exchanged, so that a kill in the middle can be ended later.
 *
 * Y1  Both texts are durable in a journal beside the file before the first byte is written; it goes when all are on the disk.
 * Y2  A write is carried on only where the file is a mixture of the two texts, which nobody but a killed write leaves.
 */
import { basename, dirname, join } from "node:path";
import type { Recovery, ReplaceOutcome } from "../../ports/files.ts";
import { sha256 } from "./digest.ts";
import type { FileSteps } from "./file-steps.ts";
import { fingerprint } from "./fingerprint.ts";
import { leftoverName, nameDigest } from "./leftover-names.ts";
import { decodeText } from "./read-text.ts";

export interface InPlaceWrite {
  readonly path: string;
  readonly old: Buffer;
  readonly next: Buffer;
  readonly steps: FileSteps;
}

export function writeInPlace({ path, old, next, steps }: InPlaceWrite): ReplaceOutcome {
  const journal = join(dirname(path), leftoverName("journal", [nameDigest(basename(path))]));
  steps.create(journal, journalOf(old, next), { mode: 0o600, keep: "durable" });
  steps.syncFolderOf(journal); // Y1
  const read = steps.read(path);
  if (read.kind !== "bytes" || !read.bytes.equals(old)) {
    steps.remove(journal);
    return read.kind === "bytes" ? changed(read.bytes, path) : read;
  }
  try {
    steps.overwrite(path, next);
  } catch (error) {
    takeBack({ path, old, steps }, journal);
    throw error;
  }
  steps.remove(journal);
  steps.syncFolderOf(journal);
  const print = fingerprint(path);
  return print === null ? { kind: "missing" } : { kind: "replaced", fingerprint: print };
}

/** Y1: where the old text cannot be written either, the journal stays and the write is ended later. */
function takeBack({ path, old, steps }: Omit<InPlaceWrite, "next">, journal: string): void {
  try {
    const read = steps.read(path);
    if (read.kind !== "bytes" || !read.bytes.equals(old)) steps.overwrite(path, old);
    steps.remove(journal);
  } catch {
    return;
  }
}

function changed(bytes: Uint8Array, path: string): ReplaceOutcome {
  const text = decodeText(bytes, path);
  return typeof text === "string" ? { kind: "changed", text } : { kind: "unreadable", problem: text };
}

/** One line with the length of the old text and a digest of both, then both. */
function journalOf(old: Buffer, next: Buffer): Buffer {
  const both = Buffer.concat([old, next]);
  return Buffer.concat([Buffer.from(`${old.length} ${sha256(both)}\n`), both]);
}

/** `null`: the journal itself was cut short, so the write had not begun. */
function parseJournal(bytes: Buffer): { readonly old: Buffer; readonly next: Buffer } | null {
  const head = /^(\d{1,10}) ([0-9a-f]{64})\n/.exec(bytes.subarray(0, 80).toString("latin1"));
  if (head === null) return null;
  const both = bytes.subarray(head[0].length);
  if (sha256(both) !== head[2]) return null;
  return { old: both.subarray(0, Number(head[1])), next: both.subarray(Number(head[1])) };
}

export interface JournalFound {
  readonly journal: string;
  readonly target: string;
  readonly steps: FileSteps;
}

/** Ends a write that a kill cut short. */
export function recoverInPlace({ journal, target, steps }: JournalFound): Recovery {
  const journaled = steps.read(journal);
  const texts = journaled.kind === "bytes" ? parseJournal(journaled.bytes) : null;
  const now = steps.read(target);
  if (texts === null || (now.kind === "bytes" && (now.bytes.equals(texts.old) || now.bytes.equals(texts.next)))) {
    steps.remove(journal);
    return { kind: "cleared", leftover: journal };
  }
  if (now.kind === "bytes" && isMixture(now.bytes, texts)) {
    steps.overwrite(target, texts.next);
    steps.remove(journal);
    steps.syncFolderOf(journal);
    return { kind: "finished", leftover: journal };
  }
  const kept = join(dirname(target), leftoverName("kept"));
  steps.rename(journal, kept);
  return { kind: "kept", leftover: journal, kept };
}

/** Y2. Byte by byte: a power cut may leave any of the pages written. */
function isMixture(bytes: Buffer, { old, next }: { readonly old: Buffer; readonly next: Buffer }): boolean {
  const longest = Math.max(old.length, next.length);
  const shortest = Math.min(old.length, next.length);
  if (bytes.length > longest || bytes.length < shortest) return false;
  return bytes.every((byte, at) => byte === old[at] || byte === next[at]);
}
