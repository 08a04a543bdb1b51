/**
 * The digest of what some checks depend on: what evidence is recorded with, and what its freshness is judged by.
 *
 * Does not own: digesting (`ports/tree-hash.ts`), judging (core).
 */

import { done, type Reply, refuse } from "../core/result.ts";
import type { Check } from "../core/verify/acceptance.ts";
import { treeInputs } from "../core/verify/tree-inputs.ts";
import type { TreeHash, TreeHasher } from "../ports/tree-hash.ts";

export interface WorkTree {
  /** Absolute. */
  readonly folder: string;
  /** Absolute: the runtime root, the goal's state file, whatever changes without being work. */
  readonly exclude: readonly string[];
}

export async function workTreeHash(hasher: TreeHasher, tree: WorkTree, checks: readonly Check[]): Promise<Reply<string>> {
  const found = await hasher.hash({ ...tree, inputs: treeInputs(checks) });
  return found.kind === "hashed" ? done(found.tree_hash) : noHash(found, tree);
}

function noHash(found: Exclude<TreeHash, { kind: "hashed" }>, { folder }: WorkTree): Reply<never> {
  switch (found.kind) {
    case "too_large": {
      const { max_files, max_bytes } = found;
      const bounds = `more than ${max_files} files or ${max_bytes} bytes`;
      return refuse("tree_too_large", `tree too large: declare inputs. ${folder} has ${bounds} that evidence would depend on.`, {
        details: { folder, max_files, max_bytes },
      });
    }
    case "unmatched": {
      const names = found.inputs.join(", ");
      return refuse("inputs_match_nothing", `These inputs of checks stand for no file in ${folder}: ${names}`, {
        details: { folder, inputs: found.inputs },
      });
    }
    case "missing":
      return refuse("work_folder_missing", `${folder} is no folder: there is nothing to check.`, { details: { folder } });
    case "unreadable":
      return refuse("tree_unreadable", found.problem.message, { details: { folder, path: found.problem.path ?? folder } });
  }
}
