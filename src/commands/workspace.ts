/** What every use case works with: one project's roots, its store, and the ports. Made by `compose.ts` alone. */
import type { Roots } from "../core/registry/resolve-roots.ts";
import type { Files } from "../ports/files.ts";
import type { GoalFolders } from "../ports/goal-folders.ts";
import type { RunFiles, RunMirror } from "../ports/run-files.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Digest, Ids, Log, Progress } from "../ports/system.ts";
import type { Tree } from "../ports/tree.ts";
import type { CheckPorts } from "./run-checks.ts";

export interface Workspace {
  readonly roots: Roots;
  /** For `~` in paths of the registry. */
  readonly home: string;
  readonly store: Store;
  readonly files: Files;
  readonly tree: Tree;
  readonly run_files: RunFiles;
  readonly mirror: RunMirror;
  readonly goal_folders: GoalFolders;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly log: Log;
  readonly progress: Progress;
  /** What checks of todos are run with; loaded when it is needed. */
  readonly checking: () => Promise<Checking>;
}

export interface Checking extends CheckPorts {
  /** The person's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function goalsFolder(workspace: Pick<Workspace, "roots">): string {
  return `${workspace.roots.runtime_root}/goals`;
}
