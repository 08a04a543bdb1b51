/**
 * After a commit: what was stored is shown in the state file, the run files and the projections, in that order.
 *
 * Does not own: any fact. Each step may fail or be cut off; the store has everything, and a later command goes on.
 */
import type { GoalEvent } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { Problem } from "../core/result.ts";
import type { RunPaths } from "../core/runs/stem.ts";
import type { PlanBase } from "../ports/store.ts";
import { isRun, mirrorRun } from "./mirror-run.ts";
import { writeProjections } from "./projections.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { type Rendering, renderGoal } from "./render-plan.ts";
import { isRenderingDue } from "./rendering-due.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export interface ShownWrite {
  /** Null: nothing was due. */
  readonly rendering: Rendering | null;
  readonly run_files: RunPaths | null;
  readonly warnings: readonly Problem[];
}

export interface Stored {
  readonly subject: GoalSubject;
  readonly events: readonly GoalEvent[];
  readonly head: GoalHead | null;
  readonly base: PlanBase | null;
}

export async function showWrite(
  workspace: Workspace,
  rows: RegistryRows,
  { subject, events, head, base }: Stored,
): Promise<ShownWrite> {
  const rendering = isRenderingDue(head, base) ? await renderGoal(workspace, rows, subject) : null;
  const warnings: Problem[] = rendering?.kind === "due" ? [rendering.problem] : [];
  let run_files: RunPaths | null = null;
  for (const event of events.filter(isRun)) {
    const outcome = await mirrorRun(workspace, event, { registered: subject.registered, named: null });
    if (outcome.kind === "written") run_files = { json_path: outcome.json_path, markdown_path: outcome.markdown_path };
    else
      warnings.push({
        path: outcome.path,
        code: `run_file_${outcome.code}`,
        message: "the files of the run could not be written; loopx doctor --fix writes them",
      });
  }
  const projected = await writeProjections(workspace, rows, [subject]);
  return { rendering, run_files, warnings: [...warnings, ...projected] };
}
