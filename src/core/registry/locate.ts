/**
 * Where the files of a declared goal lie, as absolute paths.
 *
 * Does not own: whether they exist (adapters) and which registry is read (`resolve-roots.ts`).
 *
 * L1  Relative paths belong to the registry that owns the goal, never to the current folder: `repo` to its project root,
 *     `state_file` to `repo`. A global registry's `source_registry` names the owner.
 */
import { expandHome, folderOf, lastPart, resolvePath } from "./path-text.ts";
import type { DeclaredGoal } from "./registry.ts";

export interface GoalPlaces {
  /** The registry that owns the goal: the one it was read from, or its `source_registry`. */
  readonly registry_path: string;
  /** The project root when the goal names no `repo`. */
  readonly repo: string;
  readonly state_file: string | null;
}

/** The parent of `.loopx` for a registry in a folder of that name, else the registry's own folder. */
export function projectRootOf(registryPath: string): string {
  const folder = folderOf(registryPath);
  return lastPart(folder) === ".loopx" ? folderOf(folder) : folder;
}

/** `registryPath`: real and absolute. L1. */
export function locateGoal(
  goal: DeclaredGoal,
  { registryPath, home }: { readonly registryPath: string; readonly home: string },
): GoalPlaces {
  const owner = goal.source_registry === null ? registryPath : from(folderOf(registryPath), goal.source_registry, home);
  const project = projectRootOf(owner);
  const repo = goal.repo === null ? project : from(project, goal.repo, home);
  return { registry_path: owner, repo, state_file: goal.state_file === null ? null : from(repo, goal.state_file, home) };
}

function from(base: string, path: string, home: string): string {
  return resolvePath(base, expandHome(path, home) ?? path);
}
