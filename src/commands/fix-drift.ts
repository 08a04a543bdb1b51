/**
 * Puts right what can be put right without taking anything from anyone (S15).
 *
 * Does not own: which fixes are safe (each drift says so, `core/drift`), each repair (`repair-*.ts`).
 *
 * X1  A fix goes through the same commands as a person's: it is judged, recorded and shown like any other.
 * X2  One goal that cannot be put right does not stop the others.
 */

import type { Drift } from "../core/drift/drift.ts";
import { driftOf } from "../core/drift/drift-of.ts";
import { quote } from "../core/goal/handle.ts";
import type { GoalView } from "../core/show/view.ts";
import type { RegistryRows } from "./registry-rows.ts";
import type { Fix, Repair } from "./repair.ts";
import { createStateFile, settleConflict, takeInAbsence } from "./repair-plan.ts";
import { recordRun, writeRunFiles } from "./repair-runs.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface Fixed {
  readonly goal_id: string;
  readonly kind: Drift["kind"];
  readonly outcome: "fixed" | "would_fix" | "not_fixed";
  /** What was done, or why it could not be. */
  readonly message: string;
}

interface FixRequest {
  readonly subjects: readonly GoalSubject[];
  /** Of the subjects, in their order. */
  readonly views: readonly GoalView[];
  readonly dryRun: boolean;
}

/** One entry for each kind that has a safe fix (X1). */
const REPAIRS: Readonly<Partial<Record<Drift["kind"], Repair>>> = {
  state_file_missing: createStateFile,
  plan_conflict: settleConflict,
  todo_missing: takeInAbsence,
  next_action_projection_mismatch: recordRun,
  artifacts_missing: writeRunFiles,
};

export async function fixDrift(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { subjects, views, dryRun }: FixRequest,
): Promise<readonly Fixed[]> {
  const fixed: Fixed[] = [];
  for (const [at, subject] of subjects.entries()) {
    const view = views[at];
    const found = view === undefined ? [] : driftOf(view, workspace.clock.now());
    for (const drift of found.filter(isSafe)) fixed.push(await fixOne(workspace, rows, { subject, drift, dryRun }));
  }
  return fixed;
}

function isSafe(drift: Drift): boolean {
  return "command" in drift.fix && drift.fix.safe && REPAIRS[drift.kind] !== undefined;
}

interface OneFix extends Fix {
  readonly dryRun: boolean;
}

/** (X2) */
async function fixOne(workspace: WritingWorkspace, rows: RegistryRows, { subject, drift, dryRun }: OneFix): Promise<Fixed> {
  const about = { goal_id: drift.goal_id, kind: drift.kind };
  const repair = REPAIRS[drift.kind];
  if (dryRun || repair === undefined) return { ...about, outcome: "would_fix", message: promiseOf(drift) };
  return { ...about, ...(await repair(workspace, rows, { subject, drift })) };
}

/** What the repair of a kind does, before it is done. */
function promiseOf({ kind, declared, subject }: Drift): string {
  switch (kind) {
    case "state_file_missing":
      return `write ${declared}`;
    case "plan_conflict":
      return `let the file's text stand for ${quote(subject ?? "next_action")}`;
    case "todo_missing":
      return `take ${declared} for withdrawn, if the file stays as it is`;
    case "next_action_projection_mismatch":
      return `record a run that follows the Next Action: ${quote(declared)}`;
    default:
      return `write ${declared} again`;
  }
}
