/**
 * The projection files beside the store (S11, S12): one per goal and one of the root, from the views that status shows.
 *
 * Does not own: what they hold (`core/show/projection.ts`), the views (`read-goal.ts`).
 *
 * O1  They can be derived again at any time: they are replaced whole, never synced, and a failure is a warning.
 * O2  None is written into the place of a goal that was archived meanwhile.
 */

import type { GoalId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";
import { printJson } from "../core/show/print-json.ts";
import { buildRootProjection, buildSharedRuntimeProjection, type RootProjection } from "../core/show/projection.ts";
import { updateRootProjection } from "../core/show/projection-update.ts";
import type { GoalView } from "../core/show/view.ts";
import { isFault } from "../errors.ts";
import { whileStanding } from "./archive-standing.ts";
import { PROJECTION_FILE } from "./projection-path.ts";
import { viewsInTurn } from "./read-goal.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { described, storedPicture } from "./status-picture.ts";
import type { GoalSubject } from "./view-key.ts";
import { goalsFolder, type WritingWorkspace } from "./workspace.ts";

/** While others wait. */
const WRITTEN_AT_ONCE = 50;

export async function writeProjections(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  subjects: readonly GoalSubject[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  let last: GoalView | null = null;
  for await (const views of viewsInTurn(workspace, rows, { subjects, ttl_seconds: null })) {
    const now = workspace.clock.now();
    const texts = views.map((view) => ({ goal_id: view.goal_id, text: printJson(buildSharedRuntimeProjection(view, now)) }));
    for (let from = 0; from < texts.length; from += WRITTEN_AT_ONCE) {
      problems.push(...(await writeThose(workspace, texts.slice(from, from + WRITTEN_AT_ONCE))));
    }
    last = views.at(-1) ?? last;
  }
  const root = await rootProjection(workspace, rows, subjects.length === 1 ? last : null);
  return [...problems, ...put(workspace, rootPath(workspace), printJson(root))];
}

function rootPath({ roots }: WritingWorkspace): string {
  return `${roots.runtime_root}/${PROJECTION_FILE}`;
}

/** Of one goal that is not on its page only the numbers change: the page is read from the file then, not from the views. */
async function rootProjection(workspace: WritingWorkspace, rows: RegistryRows, view: GoalView | null): Promise<RootProjection> {
  const before = view === null ? null : standing(workspace);
  if (view !== null && before !== null) {
    const { registry, counts, checked } = await described(workspace, rows, 0);
    const updated = updateRootProjection(before, { registry, view, counts, checked, now: workspace.clock.now() });
    if (updated !== null) return updated;
  }
  return buildRootProjection(await storedPicture(workspace, rows));
}

/** Null for what is no JSON: it is written anew. */
function standing(workspace: WritingWorkspace): unknown {
  const read = workspace.files.readText(rootPath(workspace));
  if (read.kind !== "text") return null;
  try {
    return JSON.parse(read.text);
  } catch {
    return null;
  }
}

interface GoalText {
  readonly goal_id: GoalId;
  readonly text: string;
}

/** (O2) */
async function writeThose(workspace: WritingWorkspace, texts: readonly GoalText[]): Promise<readonly Problem[]> {
  const ids = texts.map(({ goal_id }) => goal_id);
  return await whileStanding(workspace.store, ids, (standing) =>
    texts.filter(({ goal_id }) => standing.has(goal_id)).flatMap((each) => put(workspace, goalPath(workspace, each), each.text)),
  );
}

function goalPath(workspace: WritingWorkspace, { goal_id }: GoalText): string {
  return `${goalsFolder(workspace)}/${goal_id}/${PROJECTION_FILE}`;
}

/** (O1) */
function put(workspace: WritingWorkspace, path: string, text: string): readonly Problem[] {
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

function strays({ tree, roots }: WritingWorkspace, path: string): boolean {
  const folder = tree.realPath(path.slice(0, path.lastIndexOf("/")));
  return folder !== null && folder !== roots.runtime_root && !folder.startsWith(`${roots.runtime_root}/`);
}
