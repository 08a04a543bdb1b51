/**
 * May this goal's folder be archived, and where from: everything that is judged before anything is written.
 *
 * Does not own: the journal's own no (`core/goal/archive.ts`), the archive root (`archive-place.ts`).
 *
 * K1  The id is one safe path segment, as it was typed: nothing is trimmed or completed (S04).
 * K2  Only a folder that stands under `goals/` itself is moved: never a link, whatever it leads to.
 * K3  A goal of the registry is archived only when that was asked for (S05), one of another registry not from here.
 */
import { loopxCommand } from "../core/command-line.ts";
import { startArchive } from "../core/goal/archive.ts";
import { type GoalId, parseGoalId } from "../core/id.ts";
import { nearest } from "../core/near.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import type { StandingFolder } from "../ports/goal-folders.ts";
import type { ArchiveRequest } from "./app.ts";
import { archiveRoot, isIn } from "./archive-place.ts";
import { findWritable, type RegistryRows } from "./registry-rows.ts";
import { subjectOf } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import { goalsFolder, type MovingWorkspace } from "./workspace.ts";

/** The reference's words, which its users look for. */
export const CHECKS: readonly string[] = [
  "goal id is a single path segment",
  "source runtime goal directory exists",
  "source resolves under runtime_root/goals",
  "registry membership checked",
];

export interface ArchiveChecked {
  readonly subject: GoalSubject;
  readonly source: string;
  readonly archive_root: string;
  readonly mounts: "same" | "different";
}

/** (K1) */
export function goalIdOf(text: string): Reply<GoalId> {
  const parsed = parseGoalId(text);
  return parsed.ok ? done(parsed.id) : reject(parsed.flaw.code, `goal id ${JSON.stringify(text)} ${parsed.flaw.message}`);
}

export async function checkArchive(
  workspace: MovingWorkspace,
  rows: RegistryRows,
  request: ArchiveRequest,
): Promise<Reply<ArchiveChecked>> {
  const subject = await archivable(workspace, rows, request);
  if (subject.kind !== "done") return subject;
  const { goal_id } = subject.value;
  const standing = workspace.goal_folders.standing(goal_id);
  if (standing.kind !== "folder") return await noFolder(workspace, goal_id, standing);
  const root = archiveRoot(workspace, request.archiveRoot);
  if (root.kind !== "done") return root;
  const mounts = workspace.goal_folders.mounts(standing.path, root.value);
  const problem = unfit(workspace, { source: standing.path, root: root.value, mounts });
  return problem ?? done({ subject: subject.value, source: standing.path, archive_root: root.value, mounts });
}

/** (K3) */
async function archivable(workspace: MovingWorkspace, rows: RegistryRows, request: ArchiveRequest): Promise<Reply<GoalSubject>> {
  const id = goalIdOf(request.goalId);
  if (id.kind !== "done") return id;
  const [registered] = await rows.find(id.value);
  if (registered !== undefined) {
    if (!request.allowRegistered) return goalRegistered(rows, request);
    const found = await findWritable(rows, id.value);
    if (found.kind !== "done") return found;
    return rows.writable === "yes" ? done({ goal_id: id.value, registered: found.value }) : registryNewer(rows);
  }
  const found = await subjectOf(workspace, rows, id.value);
  if (found.kind === "done" || workspace.goal_folders.standing(id.value).kind !== "folder")
    return done({ goal_id: id.value, registered: null });
  return refuse("goal_belongs_to", `Goal ${id.value} under this runtime root belongs to another registry.`, {
    details: { goal_id: id.value },
  });
}

function goalRegistered(rows: RegistryRows, { goalId, archiveRoot: root }: ArchiveRequest): Reply<never> {
  const place = root === null ? [] : ["--archive-root", root];
  return refuse("goal_registered", `Goal ${goalId} is in the registry ${rows.path}. Archiving it stops it there.`, {
    fix: loopxCommand("archive", "--goal-id", goalId, ...place, "--allow-registered"),
    details: { goal_id: goalId, registry: rows.path },
  });
}

function registryNewer({ path, writable }: RegistryRows): Reply<never> {
  return refuse(`registry_${writable}`, `${path} cannot be changed here, so the goal cannot be stopped there.`, {
    details: { path },
  });
}

/** (K2) */
export async function noFolder(
  workspace: MovingWorkspace,
  goal_id: GoalId,
  { kind, path }: StandingFolder,
): Promise<Reply<never>> {
  if (kind === "link")
    return refuse("runtime_goal_link", `${path} is a link; only a folder under goals/ itself can be archived.`, {
      details: { path },
    });
  if (kind === "not_folder") return refuse("runtime_goal_not_folder", `${path} is not a folder.`, { details: { path } });
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  const archived = head?.lifecycle.kind === "archived" ? startArchive(head, { source: path, target: path }) : [];
  if ("kind" in archived) return archived;
  const folders = workspace.tree.entries(goalsFolder(workspace)).filter((entry) => entry.kind === "folder");
  const names = folders.map((entry) => entry.name);
  return reject("runtime_goal_not_found", `There is no runtime folder ${path}.`, {
    near: nearest(goal_id, names),
    fix: "loopx archives",
  });
}

interface Fit {
  readonly source: string;
  readonly root: string;
  readonly mounts: "same" | "different";
}

function unfit({ goal_folders }: MovingWorkspace, { source, root, mounts }: Fit): Reply<never> | null {
  if (isIn(root, source))
    return refuse("archive_root_inside_source", `${root} lies in the folder that is to be archived.`, {
      details: { path: root },
    });
  const taken = goal_folders.takenNames(source);
  if (taken.length > 0) {
    const message = `${source} holds ${taken.join(" and ")}, a name that the archive needs; rename it first.`;
    return refuse("archive_names_taken", message, { details: { path: source, names: taken } });
  }
  const special = mounts === "same" ? [] : goal_folders.uncopyable(source);
  if (special.length === 0) return null;
  return refuse(
    "archive_uncopyable",
    `${source} holds a pipe, socket or device, which cannot be copied to another file system.`,
    {
      details: { path: source, entries: special },
    },
  );
}
