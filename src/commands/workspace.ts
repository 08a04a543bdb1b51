/**
 * What every use case works with: one project's roots, its store, and the ports. Made by `compose.ts` alone.
 *
 * What edits files is handed out to those that ask for it, and loaded then: most commands only read.
 */
import type { Roots } from "../core/registry/resolve-roots.ts";
import type { Bounds } from "../core/verify/evict.ts";
import type { EditableFiles, Files } from "../ports/files.ts";
import type { GoalFolders } from "../ports/goal-folders.ts";
import type { RunFiles, RunMirror } from "../ports/run-files.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Digest, Ids, Log, Progress } from "../ports/system.ts";
import type { Tree } from "../ports/tree.ts";
import type { CheckPorts } from "./run-checks.ts";
import type { RunPorts } from "./turn-ports.ts";

export interface Workspace {
  readonly roots: Roots;
  /** For `~` in paths of the registry. */
  readonly home: string;
  readonly store: Store;
  readonly files: Files;
  readonly tree: Tree;
  readonly run_files: RunFiles;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly log: Log;
  readonly progress: Progress;
  writing(): Promise<WritingWorkspace>;
}

export interface WritingWorkspace extends Workspace {
  readonly files: EditableFiles;
  readonly mirror: RunMirror;
  moving(): Promise<MovingWorkspace>;
  /** What checks of todos are run with. */
  checking(bounds?: CacheBounds): Promise<Checking>;
  /** What turns of agents are run with. */
  agents(): Promise<RunPorts>;
}

/** Of the verdicts that are kept to be used again. */
export type CacheBounds = Pick<Bounds, "max_entries" | "max_bytes">;

export interface Checking extends CheckPorts {
  /** The person's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** For archives: whole folders of goals move. */
export interface MovingWorkspace extends WritingWorkspace {
  readonly goal_folders: GoalFolders;
}

export function goalsFolder(workspace: Pick<Workspace, "roots">): string {
  return `${workspace.roots.runtime_root}/goals`;
}
