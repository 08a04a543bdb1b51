/** What is there before a project is: for `init`, which makes one, and `doctor`, which looks at one that may be broken. */
import type { RootFlags, Roots, RootsView } from "../core/registry/resolve-roots.ts";
import type { EditableFiles } from "../ports/files.ts";
import type { Clock } from "../ports/system.ts";
import type { Tree } from "../ports/tree.ts";
import type { WritingWorkspace } from "./workspace.ts";

/** `read_only`: nothing is created; an empty store stands in for one that is missing. */
export type StoreAccess = "read_write" | "read_only";

export interface Ground {
  /** Current folder, home and environment with it. */
  readonly view: RootsView;
  readonly flags: RootFlags;
  readonly files: EditableFiles;
  readonly tree: Tree;
  readonly clock: Clock;
  /** The workspace at these roots, shared with the other use cases; throws `Fault` when the store cannot be used. */
  readonly open: (roots: Roots, access: StoreAccess) => Promise<WritingWorkspace>;
}

/** Whoever only looks does not create a store. */
export function accessToLook({ tree }: Pick<Ground, "tree">, roots: Roots): StoreAccess {
  return tree.look(`${roots.runtime_root}/loopx.db`) === "missing" ? "read_only" : "read_write";
}
