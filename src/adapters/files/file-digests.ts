/**
 * Digests of files that were read, for this process and, when they are saved, for the next.
 *
 * Does not own: when a file may be noted (`tree-hash.ts`).
 *
 * D1  The file is a cache: when it is damaged, too large or something else it is as if it were not there, and saving never fails.
 * D2  It is bounded: those used last are kept.
 */
import { join } from "node:path";
import { isFault } from "../../errors.ts";
import type { FileDigests } from "../../ports/tree-hash.ts";
import { enterFolder, readPrivate, writePrivate } from "./private-file.ts";

const FOLDER = "cache";
const FILE = "file-digests.json";
const VERSION = 1;
const MAX_ENTRIES = 50_000;
const MAX_BYTES: number = 32 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

type Entry = readonly [path: string, fingerprint: string, sha256: string];

export interface KeptDigests extends FileDigests {
  /** False when there is nothing new, or it cannot be written. */
  save(): boolean;
}

export function fileDigests(options: { readonly runtime_root: string; readonly max_entries?: number }): KeptDigests {
  const most = options.max_entries ?? MAX_ENTRIES;
  let entries: Map<string, Entry> | null = null;
  let isNew = false;
  const all = (): Map<string, Entry> => {
    entries ??= new Map(load(options.runtime_root).map((entry) => [entry[0], entry]));
    return entries;
  };
  return {
    find: (path, fingerprint) => {
      const entry = all().get(path);
      if (entry?.[1] !== fingerprint) return null;
      use(all(), entry);
      return entry[2];
    },
    note: (path, fingerprint, sha256) => {
      use(all(), [path, fingerprint, sha256]);
      isNew = true;
      for (const oldest of all().keys()) {
        if (all().size <= most) break; // (D2)
        all().delete(oldest);
      }
    },
    save: () => {
      if (!isNew || !write(options.runtime_root, [...all().values()])) return false;
      isNew = false;
      return true;
    },
  };
}

/** The order of a map is that of insertion: the first is the one not used for longest. */
function use(entries: Map<string, Entry>, entry: Entry): void {
  entries.delete(entry[0]);
  entries.set(entry[0], entry);
}

/** D1. */
function load(runtimeRoot: string): readonly Entry[] {
  try {
    const read = readPrivate(join(runtimeRoot, FOLDER, FILE), MAX_BYTES);
    return read.kind === "bytes" ? parse(read.bytes.toString()) : [];
  } catch {
    return [];
  }
}

function parse(text: string): readonly Entry[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("version" in value && "files" in value)) return [];
  return value.version === VERSION && Array.isArray(value.files) ? value.files.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  return (
    Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "string") && SHA256.test(String(value[2]))
  );
}

/** D1. */
function write(runtimeRoot: string, files: readonly Entry[]): boolean {
  const bytes = Buffer.from(JSON.stringify({ version: VERSION, files }));
  if (bytes.length > MAX_BYTES) return false;
  try {
    const place = enterFolder(runtimeRoot, [FOLDER]);
    return place.kind === "folder" && writePrivate(join(place.path, FILE), bytes, "volatile") === null;
  } catch (error) {
    if (!isFault(error)) throw error;
    return false;
  }
}
