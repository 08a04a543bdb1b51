/**
 * The projection files beside the store (S11, S12): one per goal and one of the root, from the views that status shows.
 *
 * Does not own: what they hold (`core/show/projection.ts`), the views (`read-goal.ts`).
 *
 * O1  They can be derived again at any time: they are replaced whole, never synced, and a failure is a warning.
 */

import type { Problem } from "../core/result.ts";
import { printJson } from "../core/show/print-json.ts";
import { buildRootProjection, buildSharedRuntimeProjection } from "../core/show/projection.ts";
import { isFault } from "../errors.ts";
import { readGoals } from "./read-goal.ts";
import { PROJECTION_FILE } from "./projection-path.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { storedPicture } from "./status-picture.ts";
import type { GoalSubject } from "./view-key.ts";
import { goalsFolder, type Workspace } from "./workspace.ts";

export async function writeProjections(
  workspace: Workspace,
  rows: RegistryRows,
  subjects: readonly GoalSubject[],
): Promise<readonly Problem[]> {
  const views = await readGoals(workspace, rows, { subjects, ttl_seconds: null });
  const now = workspace.clock.now();
  const ofGoals = views.map((view) => ({
    path: `${goalsFolder(workspace)}/${view.goal_id}/${PROJECTION_FILE}`,
    value: buildSharedRuntimeProjection(view, now),
  }));
  const root = {
    path: `${workspace.roots.runtime_root}/${PROJECTION_FILE}`,
    value: buildRootProjection(await storedPicture(workspace, rows)),
  };
  return [...ofGoals, root].flatMap(({ path, value }) => written(workspace, path, printJson(value)));
}

/** (O1) */
function written(workspace: Workspace, path: string, text: string): readonly Problem[] {
  if (strays(workspace, path))
    return [
      { path, code: "projection_outside", message: "a link leads out of the runtime root; the projection was not written" },
    ];
  try {
    workspace.files.writeAtomically(path, text);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ path, code: error.code, message: error.message }];
  }
}

function strays({ tree, roots }: Workspace, path: string): boolean {
  const folder = tree.realPath(path.slice(0, path.lastIndexOf("/")));
  return folder !== null && folder !== roots.runtime_root && !folder.startsWith(`${roots.runtime_root}/`);
}
