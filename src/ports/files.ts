/**
 * The files that people own (registry, state files) and the plain files beside the store, as the use cases need them.
 *
 * Does not own: what a text says (`core`), where a file lies (`core/registry/resolve-roots.ts`, `locate.ts`).
 *
 * What a file can be is answered as a value. Only what no caller could handle (disk full, I/O error) is thrown, as a `Fault`.
 */

import type { Instant } from "../core/instant.ts";
import type { OpenRegistry } from "../core/registry/edit.ts";
import type { Problem, Reply } from "../core/result.ts";

/** Size, times and inode of a file as one text: while it is equal and settled, the content is. */
export type Fingerprint = string;

export interface ReadFile {
  readonly kind: "text";
  /** Byte order mark and line endings included. */
  readonly text: string;
  readonly fingerprint: Fingerprint;
}

/** `unreadable`: something is there and cannot be taken for a text; the problem names path, line and column. */
export type TextRead = ReadFile | { readonly kind: "missing" } | { readonly kind: "unreadable"; readonly problem: Problem };

/** What a file must still say for it to be replaced. */
export type Expected = { readonly kind: "text"; readonly text: string } | { readonly kind: "sha256"; readonly sha256: string };

export interface Replacement {
  readonly path: string;
  /** What `next` was made from. */
  readonly expected: Expected;
  readonly next: string;
  /** The folder that the file must lie in after symlinks are followed. */
  readonly within?: string;
  /** `next`, on the disk already; used as far as it still fits the file. */
  readonly prepared?: PreparedText | null;
}

/** A text that waits beside the file it is for, as the file's owner and mode want it. */
export interface PreparedText {
  readonly temporary: string;
  readonly target: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export type ReplaceOutcome =
  | { readonly kind: "replaced"; readonly fingerprint: Fingerprint }
  /** It says something else: nothing was written. */
  | { readonly kind: "changed"; readonly text: string }
  /** A person saved at the same instant: their text stands in the file again. */
  | { readonly kind: "overtaken"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly problem: Problem }
  /** Its place forbids it: outside the tree, not a file, not permitted. */
  | { readonly kind: "refused"; readonly problem: Problem };

export type CreateOutcome =
  | { readonly kind: "created"; readonly fingerprint: Fingerprint }
  | { readonly kind: "exists" }
  | { readonly kind: "refused"; readonly problem: Problem };

/** What was found of a replacement that a kill cut short, and what was done about it. */
export type Recovery =
  /** Nothing of anybody was in it; it is gone. */
  | { readonly kind: "cleared"; readonly leftover: string }
  /** An in-place write was carried through. */
  | { readonly kind: "finished"; readonly leftover: string }
  /** A save that had been overtaken stands in the file again. */
  | { readonly kind: "restored"; readonly leftover: string }
  /** It holds a text that is nowhere else, and the file has moved on: for a person, in `kept`. */
  | { readonly kind: "kept"; readonly leftover: string; readonly kept: string };

export interface Leftover {
  readonly path: string;
  /** `kept`: a text that `recoverFile` could not put back. */
  readonly kind: "temporary" | "backup" | "journal" | "kept";
  /** The process that made it. */
  readonly pid: number | null;
}

export interface RegistryFile extends OpenRegistry {
  readonly fingerprint: Fingerprint;
}

/** Missing: `registry_not_found`. Goals that are wrong are problems inside the registry. */
export type RegistryReader = (path: string) => Reply<RegistryFile>;

/** What a read needs: nothing is written. */
export interface Files {
  /** UTF-8 without U+0000, of at most 64 MiB. */
  readText(path: string): TextRead;
  /** `null` when there is no file. */
  fingerprint(path: string): Fingerprint | null;
  /** Whether an equal fingerprint proves equal content: not while the file changed less than 2 s before `readAt`. */
  isSettled(fingerprint: Fingerprint, readAt: Instant): boolean;
  /** Loaded on demand: most commands find the registry unchanged and need none of it. */
  registryReader(): Promise<RegistryReader>;
}

export interface EditableFiles extends Files {
  /**
   * Writes what takes long to write before the lock is held: `next`, beside the file. Null where it cannot be; `replaceFile` says why.
   * The caller discards it in the end.
   */
  prepareText(replacement: Pick<Replacement, "path" | "next" | "within">): PreparedText | null;
  discardText(prepared: PreparedText): void;
  /** Only for the holder of the store's write lock; durable when it answers `replaced`. */
  replaceFile(replacement: Replacement): ReplaceOutcome;
  /** Durable; makes the folders it needs; never touches what exists. */
  createFile(path: string, text: string): CreateOutcome;
  /** For what can be derived again: whole or old, never half, not synced; makes the folders it needs. */
  writeAtomically(path: string, text: string): void;
  /** Whether a kill has left something that `recoverFile` would end. */
  needsRecovery(path: string): boolean;
  /** Ends what a kill left of replacing this file. Only for the holder of the store's write lock. */
  recoverFile(path: string): readonly Recovery[];
  /** What kills have left in a folder. */
  findLeftovers(folder: string): readonly Leftover[];
}
