/**
 * Ends what a kill left of a rendering, before the state file is read by a command that writes.
 *
 * Does not own: what is left and how it is ended (`ports/files.ts`), the rendering (`render-plan.ts`).
 *
 * E1  A replacement that was cut off leaves its rendering due: only then is the folder looked at.
 * E2  It is ended before the file is read: a person's save that was overtaken has its name back, and is compared with the
 *     base that it was made from.
 */
import { placesOf } from "./goal-places.ts";
import { isRenderingDue } from "./rendering-due.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function recoverStateFile(workspace: WritingWorkspace, { goal_id, registered }: GoalSubject): Promise<void> {
  const path = registered === null ? null : placesOf(workspace, registered.goal).state_file;
  if (path === null) return;
  const { head, base } = await workspace.store.load({ goal_id, todos: "none", base: "text" });
  if (!isRenderingDue(head, base) || !workspace.files.needsRecovery(path)) return; // (E1)
  const ended = await workspace.store.exclusively(() => workspace.files.recoverFile(path));
  for (const recovery of ended) workspace.log.write("info", "state_file_recovered", { goal_id, ...recovery });
}
