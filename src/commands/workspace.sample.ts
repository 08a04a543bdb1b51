/** A project in a temporary folder, with the real store and files and a clock that tests move. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editableFiles } from "../adapters/files/editable-files.ts";
import { goalFolders } from "../adapters/files/goal-folders.ts";
import { rootsView } from "../adapters/files/roots.ts";
import { runFiles } from "../adapters/files/run-index.ts";
import { runMirror } from "../adapters/files/run-mirror.ts";
import { fileTree } from "../adapters/files/tree.ts";
import { openStore } from "../adapters/sqlite/store.ts";
import { systemClock, systemDigest, systemIds } from "../adapters/system/system.ts";
import { type RootFlags, type Roots, resolveRoots } from "../core/registry/resolve-roots.ts";
import type { Reply } from "../core/result.ts";
import type { EditableFiles } from "../ports/files.ts";
import type { Clock } from "../ports/system.ts";
import type { Ground, StoreAccess } from "./ground.ts";
import type { MovingWorkspace } from "./workspace.ts";

export interface SampleGround extends Ground {
  /** Real path of the folder that everything is in; the home folder is `home` in it. */
  readonly folder: string;
  readonly opened: MovingWorkspace[];
  /** The workspace of the project that is found from the current folder. */
  workspace(): Promise<MovingWorkspace>;
  /** The same world as another process sees it. */
  again(change?: SampleOptions): SampleGround;
  remove(): Promise<void>;
}

export interface SampleOptions {
  readonly cwd?: string;
  readonly flags?: RootFlags;
  readonly env_registry?: string;
  readonly files?: EditableFiles;
  readonly clock?: Clock;
}

export function sampleGround(options: SampleOptions = {}): SampleGround {
  return groundIn(realpathSync(mkdtempSync(join(tmpdir(), "loopx-ground-"))), options);
}

/** In a folder that is there already, for a process that is not the first. */
export function groundIn(folder: string, options: SampleOptions = {}): SampleGround {
  const { cwd = folder, flags = {}, env_registry = null, files = editableFiles, clock = systemClock } = options;
  const home = join(folder, "home");
  const view = rootsView({ cwd, home, env_registry });
  const opened: MovingWorkspace[] = [];
  const open = async (roots: Roots, access: StoreAccess): Promise<MovingWorkspace> => {
    const { runtime_root } = roots;
    const workspace: MovingWorkspace = {
      roots,
      home,
      store: await openStore({ runtime_root, access }),
      files,
      tree: fileTree,
      run_files: runFiles({ runtime_root }),
      mirror: runMirror({ runtime_root }),
      goal_folders: goalFolders({ runtime_root }),
      clock,
      ids: systemIds,
      digest: systemDigest,
      log: { write: () => undefined },
      progress: { report: () => undefined },
      async writing() {
        return this;
      },
      async moving() {
        return this;
      },
      async checking(bounds) {
        return (await import("../compose-checks.ts")).checkingIn(runtime_root, { env: process.env, bounds });
      },
      async agents() {
        return (await import("../compose-agents.ts")).agentsIn(runtime_root, process.env);
      },
    };
    opened.push(workspace);
    return workspace;
  };
  return {
    folder,
    opened,
    view,
    flags,
    files,
    tree: fileTree,
    clock,
    open,
    workspace: async () => {
      const roots = resolveRoots(flags, view);
      if (roots.kind !== "done") throw new Error(roots.message);
      return await open(roots.value, "read_write");
    },
    again: (change = {}) => groundIn(folder, { ...options, ...change }),
    remove: async () => {
      for (const { store } of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The value of an answer; throws when the answer is no. */
export async function valueFrom<T>(reply: Promise<Reply<T>>): Promise<T> {
  const got = await reply;
  if (got.kind !== "done") throw new Error(`${got.code}: ${got.message}`);
  return got.value;
}

/** `done`, or the code of the no. */
export async function codeFrom(reply: Promise<Reply<unknown>>): Promise<string> {
  const got = await reply;
  return got.kind === "done" ? "done" : got.code;
}
