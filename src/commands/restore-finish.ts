/**
 * Finishes a restore: from `restore.started` to `restore.done`, from wherever the last attempt stopped.
 *
 * Does not own: whether an archive may come back (`restore.ts`), moving and copying (`ports/goal-folders.ts`).
 *
 * B1  At every instant the folder is whole in the archive or in its place.
 * B2  What archiving added is taken away again: the folder has the bytes that it had.
 * B3  A folder that stands in the goal's place and is not what the archive holds is left alone, and the archive too.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Problem, type Reply, refuse } from "../core/result.ts";
import type { FolderMove } from "../ports/goal-folders.ts";
import {
  folderMove,
  forgetFolder,
  type MoveStep,
  publishCopy,
  type Restoring,
  recordEnd,
  stepAfter,
  whileUnderway,
} from "./archive-move.ts";
import { resumeRestored } from "./archive-registry.ts";
import { archiveRow } from "./archive-rows.ts";
import type { MovingWorkspace } from "./workspace.ts";

export async function finishRestoring(workspace: MovingWorkspace, underway: Restoring): Promise<MoveStep> {
  const { goal_folders: folders } = workspace;
  const move = folderMove(underway.lifecycle);
  const lost = !folders.exists(move.target) && !folders.exists(move.source);
  const activation = await resumeRestored(workspace, underway.rows, {
    goal_id: underway.head.goal_id,
    ...archivedAt(workspace, move),
  });
  if (activation.kind !== "done") return activation;
  if (!folders.exists(move.target)) {
    const brought = await bringBack(workspace, underway, move);
    if (brought === "again") return "again";
  }
  if (folders.retire(move) === "kept") return targetTaken(underway, move); // (B3)
  const cleared = await whileUnderway(workspace, underway, () => folders.removeExport(move.target)); // (B2)
  if (cleared === "again") return "again";
  return await settle(workspace, underway, { move, activation: activation.value, lost });
}

function archivedAt({ goal_folders }: MovingWorkspace, { source, target }: FolderMove): { readonly since?: Instant } {
  const manifest = goal_folders.manifest(source) ?? goal_folders.manifest(target);
  return manifest === null ? {} : { since: manifest.at };
}

async function bringBack(workspace: MovingWorkspace, underway: Restoring, move: FolderMove): Promise<"moved" | "again"> {
  const { goal_folders: folders } = workspace;
  if (!folders.exists(move.source)) {
    const made = await whileUnderway(workspace, underway, () =>
      folders.exists(move.target) ? "again" : folders.replaceLost(move.target),
    );
    return made === "again" ? "again" : "moved";
  }
  if (folders.mounts(move.source, move.target) === "same") {
    const outcome = await whileUnderway(workspace, underway, () => folders.rename(move));
    if (outcome !== "other_device") return stepAfter(outcome);
  }
  const staged = await folders.stage(move, null);
  if (staged === null) return "again";
  return await publishCopy(workspace, underway, staged);
}

interface Settling {
  readonly move: FolderMove;
  readonly activation: "active" | "stopped" | "not_registered";
  readonly lost: boolean;
}

async function settle(workspace: MovingWorkspace, underway: Restoring, { move, activation, lost }: Settling): Promise<MoveStep> {
  const { goal_id, generation } = underway.head;
  const row = await archiveRow(workspace, { goal_id, archive_path: move.source });
  await workspace.store.saveArchive({ ...row, restored_at: underway.lifecycle.since });
  workspace.goal_folders.clearStage(move);
  if ((await recordEnd(workspace, underway, { kind: "finish-restore" })) === "again") return "again";
  await forgetFolder(workspace, underway);
  const warnings = lost ? [archiveLost(move)] : [];
  return done({ move: "restore", generation, archive_path: move.source, activation, warnings });
}

function archiveLost({ source }: FolderMove): Problem {
  return {
    path: source,
    code: "archive_lost",
    message: "is gone; the goal has its journal and an empty folder, and loopx doctor --fix writes its runs",
  };
}

function targetTaken({ head }: Restoring, { source, target }: FolderMove): Reply<never> {
  const message = `${target} stands in the place of goal ${head.goal_id} and is not what ${source} holds; move it away, then restore again.`;
  return refuse("goal_folder_taken", message, {
    fix: loopxCommand("restore", "--goal-id", head.goal_id, "--archive-path", source),
    details: { goal_id: head.goal_id, path: target, archive_path: source },
  });
}
