/**
 * Outputs of verifiers, kept by content for one goal. A folder today; anything that can put and get by key can take its place.
 *
 * Does not own: what refers to a blob (events), when one goes (it moves and leaves with its goal).
 *
 * B1  A blob is named by the SHA-256 of its bytes before compression; the same bytes are written once.
 * B2  It is whole and durable when `put` answers, so that an event that names it may be committed.
 * B3  It is bounded: of a longer output head and tail are kept (`core/verify/bounded-output.ts`).
 * B4  What is read has the digest that was asked for; anything else is told and never taken for it.
 */
import type { GoalId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";

/** Before compression. */
export const MAX_BLOB_BYTES: number = 256 * 1024;

export interface StoredBlob {
  readonly kind: "stored";
  readonly sha256: string;
  /** Of what is kept, before compression. */
  readonly bytes: number;
  readonly stored_bytes: number;
  /** How much of the input was left out. */
  readonly dropped_bytes: number;
  readonly is_new: boolean;
}

/** `refused`: something else is in its place, or the place is not permitted. A disk that fails is thrown as a `Fault`. */
export type PutBlob = StoredBlob | { readonly kind: "refused"; readonly problem: Problem };

export type BlobRead =
  | { readonly kind: "blob"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly problem: Problem };

export interface Blobs {
  put(goalId: GoalId, bytes: Uint8Array): Promise<PutBlob>;
  get(goalId: GoalId, sha256: string): Promise<BlobRead>;
}
