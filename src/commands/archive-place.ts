/**
 * Where archives go: the archive root as a real path, and a free name in it.
 *
 * P1  A root that is given relative belongs to the project root; links in it are followed once, here, and never again.
 * P2  A root inside the goals folder is refused before any folder is made: archives would be goals, or lie inside themselves.
 */

import { archiveNames } from "../core/goal/archive-name.ts";
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { expandHome, resolvePath } from "../core/registry/path-text.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import { goalsFolder, type MovingWorkspace } from "./workspace.ts";

export const ARCHIVE_FOLDER = "archived-goals";

/** `given`: as typed; null for the default. */
export function archiveRoot(workspace: MovingWorkspace, given: string | null): Reply<string> {
  const path = given === null ? `${workspace.roots.runtime_root}/${ARCHIVE_FOLDER}` : absolute(workspace, given);
  if (path === null)
    return reject("archive_root_invalid", "The archive root must name a folder.", { problems: [problem(given ?? "")] });
  const real = workspace.goal_folders.realPlace(path);
  if (real === null)
    return refuse("archive_root_not_folder", `${path} cannot be an archive root: something on that path is no folder.`, {
      details: { path },
    });
  const goals = workspace.goal_folders.realPlace(goalsFolder(workspace)) ?? goalsFolder(workspace);
  if (isIn(real, goals)) {
    return refuse("archive_root_inside_goals", `${real} lies in ${goals}: what is archived there would be a goal again.`, {
      details: { path: real },
    }); // (P2)
  }
  return done(real);
}

/** P1. Null for a text that names no folder. */
export function absolute({ roots, home }: Pick<MovingWorkspace, "roots" | "home">, given: string): string | null {
  if (given.trim() === "" || given.includes("\0")) return null;
  const expanded = expandHome(given, home);
  return expanded === null ? null : resolvePath(roots.project_root, expanded);
}

export function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The first name that nothing has (S08). */
export function uniqueArchivePath(
  { goal_folders, ids }: Pick<MovingWorkspace, "goal_folders" | "ids">,
  { archive_root, goal_id, at }: { readonly archive_root: string; readonly goal_id: GoalId; readonly at: Instant },
): string {
  for (const name of archiveNames(goal_id, at, ids.suffix)) {
    const path = `${archive_root === "/" ? "" : archive_root}/${name}`;
    if (!goal_folders.exists(path)) return path;
  }
  throw new Error("unreachable: names never run out");
}

function problem(given: string): { readonly path: string; readonly code: string; readonly message: string } {
  return { path: "--archive-root", code: "invalid_option", message: `${JSON.stringify(given)} names no folder` };
}
