/**
 * Answers that were made, kept while the version stays: bounded in entries and bytes, least recently used first out.
 *
 * K1  An entry of another version is never answered.
 * K2  Who asks for what is being made waits for it; it is made once.
 * K3  A failure is not kept.
 */
import type { BadInput, Refusal } from "../../core/result.ts";
import type { Prepared } from "./prepared.ts";

const MOST_ENTRIES = 256;
const MOST_BYTES = 8 * 1024 * 1024;
const LARGEST = 1024 * 1024;

export type Made = Prepared | Refusal | BadInput;

interface Entry {
  readonly version: number;
  readonly made: Promise<Made>;
  size: number;
}

export interface KeptAnswers {
  get(key: string, version: number, make: () => Promise<Made>): Promise<Made>;
  /** Bytes kept now. */
  size(): number;
}

export function keptAnswers(): KeptAnswers {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const drop = (key: string, entry: Entry): void => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    bytes -= entry.size;
  };
  const settle = (key: string, entry: Entry, made: Made): void => {
    if (entries.get(key) !== entry) return;
    if ("kind" in made || made.size > LARGEST) {
      drop(key, entry); // (K3)
      return;
    }
    entry.size = made.size;
    bytes += made.size;
    for (const [oldest, kept] of entries) {
      if (entries.size <= MOST_ENTRIES && bytes <= MOST_BYTES) break;
      drop(oldest, kept);
    }
  };

  return {
    size: () => bytes,
    get: (key, version, make) => {
      const known = entries.get(key);
      if (known !== undefined) {
        entries.delete(key);
        if (known.version === version) {
          entries.set(key, known); // (K1, K2), and now the most recently used
          return known.made;
        }
        bytes -= known.size;
      }
      const entry: Entry = { version, made: make(), size: 0 };
      entries.set(key, entry);
      entry.made.then(
        (made) => settle(key, entry, made),
        () => drop(key, entry), // (K3)
      );
      return entry.made;
    },
  };
}
