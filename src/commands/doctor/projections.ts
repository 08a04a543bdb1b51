/** Projection files that are older than what they show. */
import { addMilliseconds } from "../../core/instant.ts";
import { PROJECTION_FILE } from "../projection-path.ts";
import { writeProjections } from "../projections.ts";
import type { RegistryRows } from "../registry-rows.ts";
import { registeredSubjects } from "../subjects.ts";
import type { GoalSubject } from "../view-key.ts";
import { goalsFolder, type WritingWorkspace } from "../workspace.ts";
import { type Check, FIX, type Found, looked, NO_STORE } from "./check.ts";

/** The clock of a file system is coarser than that of the journal. */
const TICK_MS = 1000;

export const projections: Check = {
  name: "projections",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const stale: GoalSubject[] = [];
    for (const subject of await registeredSubjects(rows)) if (await isStale(workspace, subject)) stale.push(subject);
    if (stale.length === 0) return looked("up to date");
    const message = `${stale.length} projections are missing or older than the journal, first that of goal ${stale[0]?.goal_id}`;
    const found: Found = { severity: "info", message, fix: FIX, repair: () => write(workspace, rows, stale) };
    return looked(`${stale.length} out of date`, [found]);
  },
};

async function isStale(workspace: WritingWorkspace, { goal_id }: GoalSubject): Promise<boolean> {
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  if (head === null || !["active", "stopped"].includes(head.lifecycle.kind)) return false;
  const written = workspace.tree.changedAt(`${goalsFolder(workspace)}/${goal_id}/${PROJECTION_FILE}`);
  return written === null || addMilliseconds(written, TICK_MS) < head.last_at;
}

async function write(workspace: WritingWorkspace, rows: RegistryRows, stale: readonly GoalSubject[]): Promise<string | null> {
  const problems = await writeProjections(workspace, rows, stale);
  return problems.length === 0 ? `wrote ${stale.length} projections` : null;
}
