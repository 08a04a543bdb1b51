/**
 * Files that a kill left beside those that LoopX writes.
 *
 * L1  Ending what was begun is the work of `recoverFile`, under the store's lock; what holds a person's text is never removed.
 */

import { addMilliseconds } from "../../core/instant.ts";
import { folderOf } from "../../core/registry/path-text.ts";
import { counted } from "../../core/show/markdown/table.ts";
import type { Leftover } from "../../ports/files.ts";
import { placesOf } from "../goal-places.ts";
import { PROJECTION_FILE } from "../projection-path.ts";
import { everyGoal, type RegistryRows } from "../registry-rows.ts";
import { goalsFolder, type WritingWorkspace } from "../workspace.ts";
import { type Check, FIX, type Found, looked, NO_STORE } from "./check.ts";

/** A younger one may belong to a process that is writing right now. */
const QUIET_MS = 60_000;

export const leftovers: Check = {
  name: "leftovers",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const found: Found[] = [];
    for (const [folder, targets] of await targetsByFolder(workspace, rows)) {
      found.push(...workspace.files.findLeftovers(folder).map((leftover) => foundOf(workspace, { leftover, targets })));
    }
    return looked(found.length === 0 ? "none" : counted(found.length, "file"), found);
  },
};

/** Every file that LoopX replaces, by the folder it is in. */
async function targetsByFolder(workspace: WritingWorkspace, rows: RegistryRows): Promise<ReadonlyMap<string, readonly string[]>> {
  const { roots, tree } = workspace;
  const folders = new Map<string, string[]>();
  const add = (path: string): void => {
    const real = tree.realPath(path) ?? path;
    const folder = folderOf(real);
    folders.set(folder, [...(folders.get(folder) ?? []), real]);
  };
  for (const path of [rows.path, `${roots.project_root}/.gitignore`, `${roots.runtime_root}/${PROJECTION_FILE}`]) add(path);
  for await (const { goal } of everyGoal(rows)) {
    const { state_file } = placesOf(workspace, goal);
    if (state_file !== null) add(state_file);
    add(`${goalsFolder(workspace)}/${goal.goal_id}/${PROJECTION_FILE}`);
  }
  return folders;
}

function foundOf(
  workspace: WritingWorkspace,
  { leftover, targets }: { readonly leftover: Leftover; readonly targets: readonly string[] },
): Found {
  const { path, kind, pid } = leftover;
  if (kind === "kept") {
    const message = "a text that was saved at the very instant of a kill; take over what you need of it, then delete it";
    return { severity: "warning", message, path };
  }
  const changed = workspace.tree.changedAt(path);
  const isYoung = changed === null || addMilliseconds(changed, QUIET_MS) > workspace.clock.now();
  const message = `left by process ${pid ?? "of unknown number"} when it was killed while writing (${kind})`;
  return { severity: isYoung ? "info" : "warning", message, path, fix: FIX, repair: () => recover(workspace, { path, targets }) };
}

/** (L1) */
async function recover(
  { store, files, tree }: WritingWorkspace,
  { path, targets }: { readonly path: string; readonly targets: readonly string[] },
): Promise<string | null> {
  await store.exclusively(() => targets.map((target) => files.recoverFile(target)));
  return tree.look(path) === "missing" ? "ended what the killed process had begun" : null;
}
