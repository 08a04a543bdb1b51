/** The composition root: the only place that picks implementations. */
import { localFiles } from "./adapters/files/files.ts";
import { rootsView } from "./adapters/files/roots.ts";
import { runFiles } from "./adapters/files/run-index.ts";
import { fileTree } from "./adapters/files/tree.ts";
import { openStore } from "./adapters/sqlite/store.ts";
import { fileLog } from "./adapters/system/log-file.ts";
import { systemClock, systemDigest, systemIds } from "./adapters/system/system.ts";
import type { App } from "./commands/app.ts";
import type { DoctorPorts } from "./commands/doctor/check.ts";
import type { StoreAccess } from "./commands/ground.ts";
import { openApp } from "./commands/open-app.ts";
import type { SimGround } from "./commands/sim.ts";
import type { TeamWorld } from "./commands/team-ports.ts";
import type { Workspace, WritingWorkspace } from "./commands/workspace.ts";
import { expandHome, resolvePath } from "./core/registry/path-text.ts";
import { type Roots, resolveRoots } from "./core/registry/resolve-roots.ts";
import { done, type Reply } from "./core/result.ts";
import type { ServeToken } from "./ports/serve-token.ts";
import type { Store } from "./ports/store.ts";
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
  /** This program, for what is started of it: workers and supervisors. */
  readonly program?: readonly [string, ...string[]];
}

export interface Composed {
  readonly app: App;
  readonly log: Log;
  /** Opened at the first call. */
  readonly workspace: (access?: StoreAccess) => Promise<Reply<Workspace>>;
  /** Of the server of this runtime root; made when there is none. */
  readonly serveToken: (runtimeRoot: string) => Promise<Reply<ServeToken>>;
  close(): Promise<void>;
}

export function compose(options: ComposeOptions): Composed {
  // Node loads `os` for it, which few need.
  const home = options.env["HOME"] || process.getBuiltinModule("node:os").homedir();
  const view = rootsView({ cwd: options.cwd, home, env_registry: options.env["LOOPX_REGISTRY"] ?? null });
  const flags = { registry: options.registry ?? undefined, runtime_root: options.runtimeRoot ?? undefined };
  const shared = sharedWorkspace(options, home);
  const workspace = async (access: StoreAccess = "read_write"): Promise<Reply<Workspace>> => {
    const roots = resolveRoots(flags, view);
    return roots.kind === "done" ? done(await shared.open(roots.value, access)) : roots;
  };
  const ground = async (): Promise<DoctorPorts> => {
    const { systemMachine } = await import("./adapters/system/machine.ts");
    const { editableFiles } = await import("./adapters/files/editable-files.ts");
    return {
      view,
      flags,
      files: editableFiles,
      tree: fileTree,
      clock: systemClock,
      digest: systemDigest,
      machine: systemMachine(options.env),
      open: async (roots, access) => await (await shared.open(roots, access)).writing(),
    };
  };
  const submitting = async () => (await import("./compose-agents.ts")).submittingIn(options.env);
  const team = async (): Promise<TeamWorld> => {
    const { teamWorld } = await import("./compose-team.ts");
    const { env, cwd, program = [process.execPath, process.argv[1] ?? ""] } = options;
    const runtimeRoot = (): Reply<string> => {
      const roots = resolveRoots(flags, view);
      if (roots.kind === "done") return done(roots.value.runtime_root);
      return options.runtimeRoot === null
        ? roots
        : done(view.realPath(resolvePath(cwd, expandHome(options.runtimeRoot, home) ?? options.runtimeRoot)));
    };
    return teamWorld({ env, cwd, program, runtimeRoot });
  };
  const simulation = async (): Promise<SimGround> => (await import("./compose-sim.ts")).simGround(options.progress);
  return {
    app: openApp({ workspace, ground, submitting, team, simulation }),
    log: shared.log,
    workspace,
    serveToken,
    close: shared.close,
  };
}

async function serveToken(runtimeRoot: string): Promise<Reply<ServeToken>> {
  const { serveTokenAt } = await import("./adapters/files/token-file.ts");
  return serveTokenAt(`${runtimeRoot}/serve-token`);
}

interface Shared {
  readonly log: Log;
  /** The same workspace for the same roots. */
  readonly open: (roots: Roots, access: StoreAccess) => Promise<Workspace>;
  close(): Promise<void>;
}

function sharedWorkspace(options: ComposeOptions, home: string): Shared {
  const opened = new Map<string, Promise<Workspace>>();
  let root: string | null = null;
  const log = fileLog({
    path: () => options.log.file ?? (root === null ? null : `${root}/logs/loopx.log`),
    level: options.log.level,
    correlation: options.log.correlation,
    now: systemClock.now,
    echo: options.log.echo,
  });
  const open = (roots: Roots, access: StoreAccess): Promise<Workspace> => {
    const key = `${access} ${roots.registry_path} ${roots.runtime_root}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const opening = openWorkspace(roots, { access, home, env: options.env, log, progress: options.progress });
    opened.set(key, opening);
    root = roots.runtime_root;
    return opening;
  };
  const close = async (): Promise<void> => {
    for (const opening of opened.values()) await (await opening.catch(() => null))?.store.close();
  };
  return { log, open, close };
}

interface Opening {
  readonly access: StoreAccess;
  readonly home: string;
  readonly env: ComposeOptions["env"];
  readonly log: Log;
  readonly progress: Progress;
}

async function openWorkspace(roots: Roots, { access, home, env, log, progress }: Opening): Promise<Workspace> {
  const { runtime_root } = roots;
  const workspace: Workspace = {
    roots,
    home,
    store: await storeAt(runtime_root, access),
    files: localFiles,
    tree: fileTree,
    run_files: runFiles({ runtime_root }),
    clock: systemClock,
    ids: systemIds,
    digest: systemDigest,
    log,
    progress,
    writing: async () => await writingIn(workspace, env),
  };
  return workspace;
}

async function writingIn(workspace: Workspace, env: ComposeOptions["env"]): Promise<WritingWorkspace> {
  const { runtime_root } = workspace.roots;
  const { editableFiles } = await import("./adapters/files/editable-files.ts");
  const { runMirror } = await import("./adapters/files/run-mirror.ts");
  const writing: WritingWorkspace = {
    ...workspace,
    files: editableFiles,
    mirror: runMirror({ runtime_root }),
    moving: async () => {
      const { goalFolders } = await import("./adapters/files/goal-folders.ts");
      return { ...writing, goal_folders: goalFolders({ runtime_root }) };
    },
    checking: async (bounds) => (await import("./compose-checks.ts")).checkingIn(runtime_root, { env, bounds }),
    agents: async () => (await import("./compose-agents.ts")).agentsIn(runtime_root, env),
  };
  return writing;
}

/** What is shown of all goals at once is put together from views: where the store keeps none, they are made for this process. */
async function storeAt(runtime_root: string, access: StoreAccess): Promise<Store> {
  const store = await openStore({ runtime_root, access });
  if (store.facts().access === "read_write") return store;
  const { viewsAlone } = await import("./adapters/memory/views-alone.ts");
  return { ...store, ...viewsAlone() };
}
