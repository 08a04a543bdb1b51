/** Damage in the run indexes, which other programs append to: it is told and never touched. */
import { counted } from "../../core/show/markdown/table.ts";
import { catchUpForeign } from "../foreign-runs.ts";
import { registeredSubjects, unregisteredSubjects } from "../subjects.ts";
import type { GoalSubject } from "../view-key.ts";
import { goalsFolder, type Workspace } from "../workspace.ts";
import { type Check, type Found, looked, NO_STORE } from "./check.ts";

export const runIndexes: Check = {
  name: "run_indexes",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const subjects = [...(await registeredSubjects(rows)), ...(await unregisteredSubjects(workspace, rows))];
    const found: Found[] = [];
    for (const [at, subject] of subjects.entries()) {
      found.push(...(await ofGoal(workspace, subject)));
      workspace.progress.report(at + 1, subjects.length, "goals");
    }
    return looked(`indexes of ${counted(subjects.length, "goal")}`, found);
  },
};

async function ofGoal(workspace: Workspace, { goal_id }: GoalSubject): Promise<readonly Found[]> {
  const { store, run_files: files, clock } = workspace;
  const { head } = await store.load({ goal_id, todos: "none", base: "none" });
  const ports = { store, files, clock, generation: head?.generation ?? 1 };
  const { damage, damage_count } = await catchUpForeign(ports, goal_id);
  const path = `${goalsFolder(workspace)}/${goal_id}/runs/index.jsonl`;
  const shown = damage.map(({ line, code, message }): Found => {
    return { severity: "warning", message: `${code}: ${message}`, path, ...(line > 0 && { line }) };
  });
  const more = damage_count - damage.length;
  return more > 0 ? [...shown, { severity: "warning", message: `${more} more damaged lines`, path }] : shown;
}
