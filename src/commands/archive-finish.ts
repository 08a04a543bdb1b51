/**
 * Finishes archiving: from `archive.started` to `archive.done`, from wherever the last attempt stopped.
 *
 * Does not own: whether a goal may be archived (`archive.ts`), moving and copying (`ports/goal-folders.ts`).
 *
 * C1  At every instant the folder is whole in its old or in its new place; what stands in the new place is marked by a
 *     manifest that names goal, generation and store.
 * C2  The registry stops the goal before the folder moves: at no instant does an active entry stand beside an archived journal.
 * C3  Runs that were recorded before archiving began have their files in the archive.
 * C4  What somebody adds to the old place after it was copied stays there.
 */
import { loopxCommand } from "../core/command-line.ts";
import { type ArchiveManifest, isSameArchive, MANIFEST_SCHEMA, printManifest } from "../core/goal/archive-manifest.ts";
import { done, type Problem, type Refusal, type Reply, refuse } from "../core/result.ts";
import type { ArchiveExport, FolderMove } from "../ports/goal-folders.ts";
import { completeMirror } from "./archive-mirror.ts";
import {
  type Archiving,
  type FinishedMove,
  folderMove,
  forgetFolder,
  type MoveStep,
  publishCopy,
  recordEnd,
  stepAfter,
  whileUnderway,
} from "./archive-move.ts";
import { stopArchived } from "./archive-registry.ts";
import type { MovingWorkspace } from "./workspace.ts";

const EVENTS_AT_ONCE = 1000;

export async function finishArchiving(workspace: MovingWorkspace, underway: Archiving): Promise<MoveStep> {
  const { goal_folders: folders } = workspace;
  const move = folderMove(underway.lifecycle);
  if (!folders.exists(move.target)) {
    const brought = await bringOver(workspace, underway, move);
    if (brought !== "moved") return brought;
  }
  if (!isOurs(workspace, underway, move)) return targetTaken(underway, move);
  return await settle(workspace, underway, { move, left: folders.retire(move) });
}

function isOurs({ goal_folders, store }: MovingWorkspace, { head }: Archiving, { target }: FolderMove): boolean {
  const { goal_id, generation } = head;
  return isSameArchive(goal_folders.manifest(target), { goal_id, generation, store_id: store.facts().store_id }); // (C1)
}

async function settle(
  workspace: MovingWorkspace,
  underway: Archiving,
  { move, left }: { readonly move: FolderMove; readonly left: "gone" | "kept" },
): Promise<MoveStep> {
  const { goal_id, generation } = underway.head;
  const archived = { goal_id, generation, archive_path: move.target, archived_at: underway.lifecycle.since, restored_at: null };
  await workspace.store.saveArchive(archived);
  workspace.goal_folders.clearStage(move);
  if ((await recordEnd(workspace, underway, { kind: "finish-archive" })) === "again") return "again";
  await forgetFolder(workspace, underway);
  const [registered] = await underway.rows.find(goal_id);
  const finished: FinishedMove = {
    move: "archive",
    generation,
    archive_path: move.target,
    activation: registered === undefined ? "not_registered" : "stopped",
    warnings: left === "gone" ? [] : [kept(move)], // (C4)
  };
  return done(finished);
}

function kept({ source }: FolderMove): Problem {
  return {
    path: source,
    code: "archive_source_kept",
    message: "was written to while it was copied; what is archived is whole, and this folder stays beside it",
  };
}

/** `moved`: the target stands. */
async function bringOver(workspace: MovingWorkspace, underway: Archiving, move: FolderMove): Promise<"moved" | MoveStep> {
  const { goal_folders: folders } = workspace;
  if (!folders.exists(move.source)) {
    const made = await whileUnderway(workspace, underway, () =>
      folders.exists(move.target) ? "again" : folders.replaceLost(move.source),
    );
    if (made === "again") return "again";
  }
  const taken = folders.takenNames(move.source);
  if (taken.length > 0) return namesTaken(underway, move, taken);
  await completeMirror(workspace, underway); // (C3)
  if (folders.mounts(move.source, move.target) === "different") return await copyOver(workspace, underway, move);
  if (!(await folders.addExport(move.source, exportOf(workspace, underway)))) return "again";
  const stopped = await stopArchived(workspace, underway.rows, stopOf(underway)); // (C2)
  if (stopped.kind !== "done") return stopped;
  const outcome = await whileUnderway(workspace, underway, () => folders.rename(move));
  return outcome === "other_device" ? await copyOver(workspace, underway, move) : stepAfter(outcome);
}

async function copyOver(workspace: MovingWorkspace, underway: Archiving, move: FolderMove): Promise<"moved" | MoveStep> {
  const { goal_folders: folders } = workspace;
  const staged = await folders.stage(move, exportOf(workspace, underway));
  if (staged === null) return "again";
  const stopped = await stopArchived(workspace, underway.rows, stopOf(underway)); // (C2)
  if (stopped.kind !== "done") folders.discard(staged);
  return stopped.kind === "done" ? await publishCopy(workspace, underway, staged) : stopped;
}

function stopOf({ head, lifecycle }: Archiving): Parameters<typeof stopArchived>[2] {
  return { goal_id: head.goal_id, since: lifecycle.since };
}

function exportOf(workspace: MovingWorkspace, { head, lifecycle }: Archiving): ArchiveExport {
  const { goal_id, generation, registry } = head;
  return {
    manifest: (contents) => {
      const manifest: ArchiveManifest = {
        schema_version: MANIFEST_SCHEMA,
        goal_id,
        generation,
        store_id: workspace.store.facts().store_id,
        registry,
        at: lifecycle.since,
        from: lifecycle.source,
        to: lifecycle.target,
        file_count: contents.file_count,
        bytes: contents.bytes,
        entries: contents.entries,
      };
      return printManifest(manifest);
    },
    journal: () => journalLines(workspace, { goal_id, generation }),
  };
}

async function* journalLines(
  { store }: MovingWorkspace,
  { goal_id, generation }: Pick<Archiving["head"], "goal_id" | "generation">,
): AsyncGenerator<string> {
  for (let beyond_seq = 0; ; beyond_seq += EVENTS_AT_ONCE) {
    const events = await store.events({ goal_id, generation, order: "oldest_first", beyond_seq, limit: EVENTS_AT_ONCE });
    yield events.map((event) => `${JSON.stringify(event)}\n`).join("");
    if (events.length < EVENTS_AT_ONCE) return;
  }
}

function targetTaken({ head }: Archiving, { target }: FolderMove): Reply<never> {
  return refuse(
    "archive_path_taken",
    `Something else stands at ${target}, where goal ${head.goal_id} is on its way to; move it away, then archive again.`,
    {
      fix: again(head.goal_id),
      details: { goal_id: head.goal_id, archive_path: target },
    },
  );
}

function namesTaken({ head }: Archiving, { source }: FolderMove, names: readonly string[]): Refusal {
  const message = `${source} holds ${names.join(" and ")}, a name that the archive needs; rename it, then archive again.`;
  return refuse("archive_names_taken", message, { fix: again(head.goal_id), details: { goal_id: head.goal_id, names } });
}

function again(goalId: string): string {
  return loopxCommand("archive", "--goal-id", goalId, "--allow-registered");
}
