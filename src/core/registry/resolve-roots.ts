/**
 * Which registry a command works on, and where its runtime data lie.
 *
 * Does not own: asking the file system (a `RootsView`) and what the registry says (`declare.ts`).
 *
 * R1  Registry, first match: flag, `LOOPX_REGISTRY`, `.loopx/registry.json` in the current folder or the nearest above it,
 *     that of the main repository for a linked git worktree, the global registry. What a flag or the environment names
 *     must exist: nothing else takes its place.
 * R2  Runtime root, first match: flag, `common_runtime_root`, `~/.codex/loopx`. Relative values belong to the project root
 *     of the registry, which is found through symlinks: the answer is the same from every folder and by every spelling.
 * R3  Whatever stands at a searched place counts as found, readable or not: a registry that cannot be read is never
 *     passed over for another one.
 */
import { done, type Problem, type Reply, reject } from "../result.ts";
import { projectRootOf } from "./locate.ts";
import { expandHome, parentPath, resolvePath } from "./path-text.ts";
import type { DeclaredRoot } from "./registry.ts";

export const DEFAULT_RUNTIME_ROOT = "~/.codex/loopx";
export const REGISTRY_IN_PROJECT = ".loopx/registry.json";
export const GLOBAL_REGISTRY = "registry.global.json";

/** The world as the resolver sees it; paths are absolute. */
export interface RootsView {
  readonly cwd: string;
  readonly home: string;
  /** `LOOPX_REGISTRY`. */
  readonly env_registry: string | null;
  /** `other`: something that is no file, or that may not be looked at. */
  readonly look: (path: string) => "file" | "folder" | "other" | "missing";
  /** With symlinks resolved in as much of the path as exists. */
  readonly realPath: (path: string) => string;
  /** The top folder of the main repository when `folder` is inside a linked git worktree, else null. */
  readonly mainRepositoryOf: (folder: string) => string | null;
  /** The `common_runtime_root` of the registry at a path, with the place of a value that is invalid. */
  readonly readRuntimeRoot: (path: string) => Reply<DeclaredRoot & { readonly at?: Problem }>;
}

export interface RootFlags {
  readonly registry?: string | undefined;
  readonly runtime_root?: string | undefined;
}

export type RegistrySource = "flag" | "env" | "search" | "global";
export type RuntimeRootSource = "flag" | "registry" | "default";

export interface Roots {
  /** Real path. */
  readonly registry_path: string;
  readonly registry_source: RegistrySource;
  readonly project_root: string;
  /** Real path, as far as it exists. */
  readonly runtime_root: string;
  readonly runtime_root_source: RuntimeRootSource;
}

interface Choice {
  readonly path: string;
  readonly source: RegistrySource;
}

export function resolveRoots(flags: RootFlags, view: RootsView): Reply<Roots> {
  const chosen = chooseRegistry(flags, view);
  if (chosen.kind !== "done") return chosen;
  const registry_path = view.realPath(chosen.value.path);
  const project_root = projectRootOf(registry_path);
  const root = runtimeRoot({ flags, view, choice: { ...chosen.value, path: registry_path }, project_root });
  if (root.kind !== "done") return root;
  const { path, source } = root.value;
  return done({
    registry_path,
    registry_source: chosen.value.source,
    project_root,
    runtime_root: view.realPath(path),
    runtime_root_source: source,
  });
}

// R1
export function chooseRegistry(flags: RootFlags, view: RootsView): Reply<Choice> {
  if (flags.registry !== undefined) return named({ text: flags.registry, source: "flag", option: "--registry" }, view);
  if (view.env_registry !== null && view.env_registry !== "") {
    return named({ text: view.env_registry, source: "env", option: "LOOPX_REGISTRY" }, view);
  }
  const inProject = searched(view);
  if (inProject !== null) return done({ path: inProject, source: "search" });
  return globalRegistry(flags, view);
}

interface Naming {
  readonly text: string;
  readonly source: "flag" | "env";
  readonly option: string;
}

function named({ text, source, option }: Naming, view: RootsView): Reply<Choice> {
  const path = pathFrom(text, { base: view.cwd, option, view });
  if (path.kind !== "done") return path;
  const seen = view.look(path.value);
  if (seen === "missing") {
    const message = `${option} names ${path.value}, and there is no such file`;
    return reject("registry_not_found", message, { problems: [{ path: path.value, code: "registry_not_found", message }] });
  }
  if (seen !== "folder") return done({ path: path.value, source });
  const inside = resolvePath(path.value, REGISTRY_IN_PROJECT);
  const fix = view.look(inside) === "missing" ? {} : { fix: `loopx --registry ${inside} …` };
  const message = `${option} names the folder ${path.value}, not a registry file`;
  return reject("registry_is_folder", message, { problems: [{ path: path.value, code: "registry_is_folder", message }], ...fix });
}

// R3
function searched(view: RootsView): string | null {
  for (let folder: string | null = view.cwd; folder !== null; folder = parentPath(folder)) {
    const path = resolvePath(folder, REGISTRY_IN_PROJECT);
    if (view.look(path) !== "missing") return path;
  }
  const main = view.mainRepositoryOf(view.cwd);
  if (main === null) return null;
  const path = resolvePath(main, REGISTRY_IN_PROJECT);
  return view.look(path) === "missing" ? null : path;
}

function globalRegistry(flags: RootFlags, view: RootsView): Reply<Choice> {
  const folder = globalFolder(flags, view);
  if (folder.kind !== "done") return folder;
  const path = resolvePath(folder.value, GLOBAL_REGISTRY);
  if (view.look(path) !== "missing") return done({ path, source: "global" });
  const message = `there is no ${REGISTRY_IN_PROJECT} in ${view.cwd} or above it, and no global registry at ${path}`;
  return reject("registry_not_found", message, { fix: 'loopx init --objective "…"' });
}

/** No project is known yet, so a relative `--runtime-root` can only belong to the current folder. */
function globalFolder(flags: RootFlags, view: RootsView): Reply<string> {
  return pathFrom(flags.runtime_root || DEFAULT_RUNTIME_ROOT, { base: view.cwd, option: "--runtime-root", view });
}

interface RootQuestion {
  readonly flags: RootFlags;
  readonly view: RootsView;
  readonly choice: Choice;
  readonly project_root: string;
}

// R2
function runtimeRoot({ flags, view, choice, project_root }: RootQuestion): Reply<{ path: string; source: RuntimeRootSource }> {
  if (flags.runtime_root) {
    const base = choice.source === "global" ? view.cwd : project_root;
    return sourced("flag", pathFrom(flags.runtime_root, { base, option: "--runtime-root", view }));
  }
  const declared = view.readRuntimeRoot(choice.path);
  if (declared.kind !== "done") return declared;
  return declaredRootPath(declared.value, { view, project_root, registry_path: choice.path });
}

/** What a registry's value means (S02); `registry_path` is named when the value is invalid. */
export function declaredRootPath(
  declared: DeclaredRoot & { readonly at?: Problem },
  of: { readonly view: Pick<RootsView, "home">; readonly project_root: string; readonly registry_path: string },
): Reply<{ path: string; source: RuntimeRootSource }> {
  const option = "common_runtime_root";
  switch (declared.kind) {
    case "absent":
      return sourced("default", pathFrom(DEFAULT_RUNTIME_ROOT, { base: of.project_root, option, view: of.view }));
    case "text":
      return sourced("registry", pathFrom(declared.text, { base: of.project_root, option, view: of.view }));
    case "invalid": {
      const code = "registry_runtime_root_invalid";
      const at = declared.at ?? { path: of.registry_path, code, message: declared.message };
      return reject(code, declared.message, { problems: [at] });
    }
  }
}

function sourced(source: RuntimeRootSource, path: Reply<string>): Reply<{ path: string; source: RuntimeRootSource }> {
  return path.kind === "done" ? done({ path: path.value, source }) : path;
}

interface PathContext {
  readonly base: string;
  /** What the path was given as, for the message. */
  readonly option: string;
  readonly view: Pick<RootsView, "home">;
}

function pathFrom(text: string, { base, option, view }: PathContext): Reply<string> {
  const expanded = expandHome(text, view.home);
  if (expanded === null)
    return reject("path_of_other_user", `${option} ${JSON.stringify(text)}: only "~/" is expanded, not another user's home`);
  if (expanded.trim() === "" || expanded.includes("\u0000"))
    return reject("path_not_usable", `${option} ${JSON.stringify(text)} is no path`);
  return done(resolvePath(base, expanded));
}
