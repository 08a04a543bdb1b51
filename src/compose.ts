/** The composition root: the only place that picks implementations. */
import { homedir } from "node:os";
import { localFiles } from "./adapters/files/files.ts";
import { goalFolders } from "./adapters/files/goal-folders.ts";
import { rootsView } from "./adapters/files/roots.ts";
import { runFiles } from "./adapters/files/run-index.ts";
import { runMirror } from "./adapters/files/run-mirror.ts";
import { fileTree } from "./adapters/files/tree.ts";
import { openStore } from "./adapters/sqlite/store.ts";
import { fileLog } from "./adapters/system/log-file.ts";
import { systemClock, systemDigest, systemIds } from "./adapters/system/system.ts";
import type { App } from "./commands/app.ts";
import { openApp } from "./commands/open-app.ts";
import type { Workspace } from "./commands/workspace.ts";
import { resolveRoots } from "./core/registry/resolve-roots.ts";
import { done, type Reply } from "./core/result.ts";
import type { Log, LogLevel, Progress } from "./ports/system.ts";

/** What a surface knows about where to work and how to tell. */
export interface ComposeOptions {
  readonly registry: string | null;
  readonly runtimeRoot: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: {
    readonly level: LogLevel | null;
    readonly file: string | null;
    readonly echo: ((line: string) => void) | null;
    readonly correlation: string;
  };
  readonly progress: Progress;
}

export interface Composed {
  readonly app: App;
  readonly log: Log;
  /** Opened at the first call. */
  readonly workspace: () => Promise<Reply<Workspace>>;
  close(): Promise<void>;
}

export function compose(options: ComposeOptions): Composed {
  let root: string | null = null;
  let opened: Promise<Reply<Workspace>> | null = null;
  const log = fileLog({
    path: () => options.log.file ?? (root === null ? null : `${root}/logs/loopx.log`),
    level: options.log.level,
    correlation: options.log.correlation,
    now: systemClock.now,
    echo: options.log.echo,
  });
  const open = async (): Promise<Reply<Workspace>> => {
    const workspace = await openWorkspace(options, log);
    if (workspace.kind === "done") root = workspace.value.roots.runtime_root;
    return workspace;
  };
  const workspace = (): Promise<Reply<Workspace>> => {
    opened ??= open();
    return opened;
  };
  return { app: openApp(workspace), log, workspace, close: async () => await closeStore(opened) };
}

async function openWorkspace(options: ComposeOptions, log: Log): Promise<Reply<Workspace>> {
  const home = options.env["HOME"] || homedir();
  const view = rootsView({ cwd: options.cwd, home, env_registry: options.env["LOOPX_REGISTRY"] ?? null });
  const flags = { registry: options.registry ?? undefined, runtime_root: options.runtimeRoot ?? undefined };
  const roots = resolveRoots(flags, view);
  if (roots.kind !== "done") return roots;
  const { runtime_root } = roots.value;
  return done({
    roots: roots.value,
    home,
    store: await openStore({ runtime_root }),
    files: localFiles,
    tree: fileTree,
    run_files: runFiles({ runtime_root }),
    mirror: runMirror({ runtime_root }),
    goal_folders: goalFolders({ runtime_root }),
    clock: systemClock,
    ids: systemIds,
    digest: systemDigest,
    log,
    progress: options.progress,
  });
}

async function closeStore(opened: Promise<Reply<Workspace>> | null): Promise<void> {
  const workspace = await opened?.catch(() => null);
  if (workspace?.kind === "done") await workspace.value.store.close();
}
