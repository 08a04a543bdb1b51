/**
 * After a commit: what was stored is shown in the state file, the run files and the projections, in that order.
 *
 * Does not own: any fact. Each step may fail or be cut off; the store has everything, and a later command goes on.
 *
 * V1  What was stored is answered as stored: a step that fails is a warning beside it.
 */
import type { GoalEvent } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { limitWarnings } from "../core/quota/limits.ts";
import { limitedGoal } from "../core/quota/settings-of.ts";
import type { Problem } from "../core/result.ts";
import type { RunPaths } from "../core/runs/stem.ts";
import { isFault } from "../errors.ts";
import type { MirrorOutcome } from "../ports/run-files.ts";
import type { PlanBase } from "../ports/store.ts";
import { isRun, mirrorRun } from "./mirror-run.ts";
import { writeProjections } from "./projections.ts";
import type { RegistryRows } from "./registry-rows.ts";
import type { Rendering, renderGoal } from "./render-plan.ts";
import { isRenderingDue } from "./rendering-due.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface ShownWrite {
  /** Null: nothing was due. */
  readonly rendering: Rendering | null;
  readonly run_files: RunPaths | null;
  readonly warnings: readonly Problem[];
}

/** A state file of that size is rendered for a lease at once; a larger one when something of it changes. */
const SMALL_BYTES = 65_536;

export interface Stored {
  /** `lease`: who works on what changes every turn, so that it must cost little: projections wait for the next write. */
  readonly about?: "lease";
  readonly subject: GoalSubject;
  readonly events: readonly GoalEvent[];
  readonly head: GoalHead | null;
  readonly base: PlanBase | null;
}

/** (V1) Nothing here throws a `Fault`: the fact is stored, and whoever asked must hear so. */
export async function showWrite(workspace: WritingWorkspace, rows: RegistryRows, stored: Stored): Promise<ShownWrite> {
  const { subject, events, head, base } = stored;
  const warnings: Problem[] = [];
  const rendering =
    head !== null && isRenderingDue(head, base) && (stored.about !== "lease" || isSmall(base))
      ? await orWarn(warnings, async () => await render(workspace, rows, { subject, plan_seq: head.plan_seq }))
      : null;
  if (rendering?.kind === "due") warnings.push(rendering.problem);
  let run_files: RunPaths | null = null;
  for (const event of events.filter(isRun)) {
    const outcome = await orWarn(
      warnings,
      async () => await mirrorRun(workspace, event, { registered: subject.registered, named: null, attempt: "first" }),
    );
    if (outcome?.kind === "written") run_files = { json_path: outcome.json_path, markdown_path: outcome.markdown_path };
    if (outcome?.kind === "failed") warnings.push(notWritten(outcome));
  }
  if (stored.about === "lease") return { rendering, run_files, warnings };
  const projected = await orWarn(warnings, async () => await writeProjections(workspace, rows, [subject]));
  return { rendering, run_files, warnings: [...warnings, ...(projected ?? []), ...nearLimits(subject, head)] };
}

function nearLimits({ goal_id, registered }: GoalSubject, head: GoalHead | null): readonly Problem[] {
  if (head === null) return [];
  const { todo_counts, runtime_bytes } = head;
  return limitWarnings(limitedGoal(goal_id, registered?.goal ?? null), { open: todo_counts.open, bytes: runtime_bytes });
}

/** The size is the first part of a fingerprint (`ports/files.ts`). */
function isSmall(base: PlanBase | null): boolean {
  return base !== null && Number(base.fingerprint.split(":")[0]) <= SMALL_BYTES;
}

/** Most runs leave the state file as it is: what edits it is loaded when it has to say something new. */
async function render(...[workspace, rows, wanted]: Parameters<typeof renderGoal>): Promise<Rendering> {
  const { renderGoal } = await import("./render-plan.ts");
  return await renderGoal(workspace, rows, wanted);
}

async function orWarn<T>(warnings: Problem[], step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    if (!isFault(error)) throw error;
    warnings.push({ code: error.code, message: error.message });
    return null;
  }
}

function notWritten({ path, code }: Extract<MirrorOutcome, { kind: "failed" }>): Problem {
  const message = "the files of the run could not be written; loopx doctor --fix writes them";
  return { path, code: `run_file_${code}`, message };
}
