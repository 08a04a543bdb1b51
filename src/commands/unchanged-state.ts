/**
 * Whether a goal's state file is the one that was last accepted, so that it need not be read and parsed.
 *
 * Does not own: taking in what did change (`reconcile-plan.ts`).
 *
 * U1  Only a settled fingerprint proves it; where it proves nothing yet, the text itself is compared.
 */
import type { LoadedGoal } from "../ports/store.ts";
import { placesOf } from "./goal-places.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";
import type { UnchangedState } from "./write-goal.ts";

export async function unchangedState(
  workspace: Pick<Workspace, "roots" | "home" | "files" | "store" | "clock">,
  { goal_id, registered }: GoalSubject,
  loaded: Pick<LoadedGoal, "base" | "head">,
): Promise<UnchangedState | null> {
  const path = registered === null ? null : placesOf(workspace, registered.goal).state_file;
  const { base } = loaded;
  if (path === null || base === null || base.sighting !== null) return null;
  const fingerprint = workspace.files.fingerprint(path);
  if (fingerprint === null || fingerprint !== base.fingerprint) return null;
  const unchanged = { kind: "unchanged", fingerprint } as const;
  if (workspace.files.isSettled(fingerprint, workspace.clock.now())) return unchanged;
  const read = workspace.files.readText(path); // (U1)
  if (read.kind !== "text" || read.fingerprint !== fingerprint) return null;
  const { base: whole } = await workspace.store.load({ goal_id, todos: "none", base: "text" });
  return whole?.text === read.text ? unchanged : null;
}
