/**
 * Whether evidence still proves what it proved: it passed, on the tree that stands.
 *
 * Does not own: hashing the tree (`commands/work-tree.ts`). It costs reading files, so it is judged only where somebody asks for
 * it: `verify`, `done` and `poll`.
 */
import type { Evidence } from "../events.ts";

/** `standing`: the digest of the tree as it is now; null where it is not known. */
export function isFresh({ outcome, tree_hash }: Pick<Evidence, "outcome" | "tree_hash">, standing: string | null): boolean {
  return outcome === "passed" && tree_hash !== null && tree_hash === standing;
}
