/**
 * One digest for what stands in a working folder.
 *
 * Does not own: what is compared with it, and when (commands, core).
 *
 * H1  Equal digests mean equal files, executable bits and link targets, under equal paths. Empty folders, times and owners do not count.
 * H2  `.git`, `node_modules`, `.loopx`, `.codex/goals` and what `exclude` names never count; in a Git work tree neither do
 *     ignored files, unless an input names them.
 * H3  No link is followed below the folder: a link counts by where it points.
 * H4  It is bounded by the number of files and bytes; beyond that it is `too_large`, never a digest of a part.
 * H5  An input that stands for no file is told: a digest of nothing would never change.
 */
import type { Problem } from "../core/result.ts";

export interface TreeHashRequest {
  /** Absolute. */
  readonly folder: string;
  /** Absolute paths that are left out with all below them; those not below the folder say nothing. */
  readonly exclude: readonly string[];
  /** Null: everything. See `core/verify/input-pattern.ts`. */
  readonly inputs: readonly string[] | null;
}

export type TreeHash =
  | { readonly kind: "hashed"; readonly tree_hash: string; readonly files: number; readonly bytes: number }
  | { readonly kind: "too_large"; readonly max_files: number; readonly max_bytes: number }
  /** Those of the inputs that stand for nothing. */
  | { readonly kind: "unmatched"; readonly inputs: readonly string[] }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly problem: Problem };

export interface TreeHasher {
  hash(request: TreeHashRequest): Promise<TreeHash>;
}

/** Digests of files that need not be read again: only those that had settled when they were read. */
export interface FileDigests {
  /** Null unless that file was noted under this very fingerprint. */
  find(path: string, fingerprint: string): string | null;
  note(path: string, fingerprint: string, sha256: string): void;
}
