/**
 * The `GoalFolders` port on the file system of this machine.
 *
 * Does not own: single steps (`folder-steps.ts`), trees (`folder-tree.ts`), what an archive gets (`archive-export.ts`).
 */
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { GoalId } from "../../core/id.ts";
import type { FolderMove, GoalFolders, Published, StagedFolder, StandingFolder } from "../../ports/goal-folders.ts";
import { addExport, clearTemporaries, exportIn, isAdded, readManifest, removeExport, takenNames } from "./archive-export.ts";
import { errnoOf, faultOf } from "./file-fault.ts";
import { type FolderSteps, folderSteps } from "./folder-steps.ts";
import { copyTree, isWithin, removeTree, stateOf, walk } from "./folder-tree.ts";
import { leftoverName } from "./leftover-names.ts";

const SHOWN_UNCOPYABLE = 5;

export function goalFolders(
  { runtime_root: root }: { readonly runtime_root: string },
  steps: FolderSteps = folderSteps,
): GoalFolders {
  const goals = (): string => realPlace(join(root, "goals")) ?? join(root, "goals");
  return {
    standing: (goalId) => standing(goals(), goalId),
    realPlace,
    mounts: (a, b) => (deviceOf(a) === deviceOf(b) ? "same" : "different"),
    isFolder,
    exists,
    manifest: readManifest,
    takenNames,
    uncopyable: (folder) => guarded(folder, () => uncopyable(folder)),
    addExport: (folder, added) => addExport({ folder, digests: new Map(), steps }, added),
    removeExport: (folder) => guarded(folder, () => removeExport(folder, steps)),
    rename: (move) => guarded(move.target, () => rename(move, steps)),
    stage: (move, added) => stage(move, { added, steps, goals: goals() }),
    publish: (move, staged) => guarded(move.target, () => publish(move, staged, steps)),
    discard: ({ path }) => guarded(path, () => discard(path, steps)),
    retire: (move) => guarded(move.source, () => retire(move, { steps, goals: goals() })),
    replaceLost: (target) => guarded(target, () => replaceLost(target, steps)),
    clearStage: (move) => guarded(move.target, () => removeTree(stageOf(move.target, goals()), steps)),
  };
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw faultOf(error, path);
  }
}

function standing(goals: string, goalId: GoalId): StandingFolder {
  const path = join(goals, goalId);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { kind: "missing", path };
  if (found.isSymbolicLink()) return { kind: "link", path };
  return { kind: found.isDirectory() ? "folder" : "not_folder", path };
}

function realPlace(path: string): string | null {
  try {
    const real = realpathSync.native(path);
    return isFolder(real) ? real : null;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || exists(path) || dirname(path) === path) return null;
    const parent = realPlace(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function deviceOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined || dirname(path) === path) return found?.dev ?? 0;
  return deviceOf(dirname(path));
}

function uncopyable(folder: string): readonly string[] {
  const found: string[] = [];
  for (const { path, kind } of walk(folder)) {
    if (kind === "other") found.push(path.toString());
    if (found.length === SHOWN_UNCOPYABLE) break;
  }
  return found;
}

/** F1: the system call refuses a target that holds something, and puts nothing inside it. */
function rename({ source, target }: FolderMove, steps: FolderSteps): Published {
  if (exists(target)) return "taken";
  if (!isFolder(source)) return "gone";
  makeFolders(dirname(target), steps);
  clearTemporaries(source, steps);
  const outcome = renamed(source, target, steps);
  if (outcome !== "moved") return outcome;
  steps.sync(dirname(target));
  steps.sync(dirname(source));
  return outcome;
}

const REFUSED_RENAMES: Readonly<Record<string, Published>> = {
  EXDEV: "other_device",
  ENOTEMPTY: "taken",
  EEXIST: "taken",
  ENOTDIR: "taken",
};

function renamed(source: string, target: string, steps: FolderSteps): Published {
  try {
    steps.rename(source, target);
    return "moved";
  } catch (error) {
    const refused = REFUSED_RENAMES[errnoOf(error) ?? ""];
    if (refused === undefined) throw error;
    return refused;
  }
}

/** The name of a new folder is durable once the folder that it is in was synced. */
function makeFolders(folder: string, steps: FolderSteps): void {
  const first = mkdirSync(folder, { recursive: true });
  for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) steps.sync(dirname(made));
}

interface Staging {
  readonly added: Parameters<GoalFolders["stage"]>[1];
  readonly steps: FolderSteps;
  readonly goals: string;
}

async function stage(move: FolderMove, { added, steps, goals }: Staging): Promise<StagedFolder | null> {
  const { source, target } = move;
  try {
    if (!isFolder(source)) return null;
    const place = stageOf(target, goals);
    makeFolders(place, steps);
    const path = join(place, leftoverName("tmp"));
    const state = stateOf(source);
    const digests = await copyTree(source, path, steps);
    if (added !== null) await exportIn({ folder: path, digests, steps }, added);
    steps.sync(place);
    return { path, state };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null; // another process has moved it, or is done
    throw faultOf(error, target);
  }
}

/** Each copy has a name of its own in there: two processes that copy at once do not meet, and who is done clears up all. */
function stageOf(target: string, goals: string): string {
  return join(besides(target, goals), `.${basename(target)}.partial`);
}

/** A folder on the same file system whose entries are nobody's goals. */
function besides(path: string, goals: string): string {
  const folder = dirname(path);
  if (folder !== goals) return folder;
  return deviceOf(dirname(goals)) === deviceOf(goals) ? dirname(goals) : goals;
}

function discard(path: string, steps: FolderSteps): void {
  removeTree(path, steps);
  try {
    steps.removeFolder(dirname(path));
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  }
}

function publish({ source, target }: FolderMove, { path, state }: StagedFolder, steps: FolderSteps): Published {
  if (!isFolder(source) || !isFolder(path)) return "gone";
  if (stateOf(source) !== state) return "changed";
  if (exists(target)) return "taken";
  makeFolders(dirname(target), steps);
  const outcome = renamed(path, target, steps);
  if (outcome === "moved") steps.sync(dirname(target));
  return outcome;
}

/** F4. It leaves its name in one step, so that nobody sees a half of it. */
function retire(
  { source, target }: FolderMove,
  { steps, goals }: { readonly steps: FolderSteps; readonly goals: string },
): "gone" | "kept" {
  const aside = join(besides(source, goals), `.${basename(target)}.removed`);
  removeTree(aside, steps);
  if (!isFolder(source)) return "gone";
  if (!isCopied(source, target)) return "kept";
  if (renamed(source, aside, steps) !== "moved") {
    removeTree(source, steps);
    return "gone";
  }
  if (!isCopied(aside, target)) {
    steps.rename(aside, source);
    return "kept";
  }
  steps.sync(dirname(source));
  removeTree(aside, steps);
  return "gone";
}

/** Between two that are marked as archives, the marks may differ. */
function isCopied(source: string, target: string): boolean {
  const marked = readManifest(source) !== null && readManifest(target) !== null;
  return isWithin(source, target, (name) => marked && isAdded(name));
}

function replaceLost(target: string, steps: FolderSteps): void {
  if (existsSync(target)) return;
  makeFolders(dirname(target), steps);
  steps.makeFolder(target);
  steps.sync(dirname(target));
}
