/**
 * Puts right what can be put right without taking anything from anyone (S15).
 *
 * Does not own: which fixes are safe (each drift says so, `core/drift`).
 *
 * X1  A fix goes through the same commands as a person's: it is judged, recorded and shown like any other.
 * X2  One goal that cannot be put right does not stop the others.
 */

import type { Drift } from "../core/drift/drift.ts";
import { driftOf } from "../core/drift/drift-of.ts";
import { quote } from "../core/goal/handle.ts";
import type { RunEvent } from "../core/runs/summary.ts";
import type { GoalView } from "../core/show/view.ts";
import { isRun, mirrorRun } from "./mirror-run.ts";
import { newStateText } from "./new-state-text.ts";
import { stateOf } from "./read-plan.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { runNames } from "./run-names.ts";
import { showWrite } from "./show-write.ts";
import { placesOf } from "./state-file.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";
import { writeGoal } from "./write-goal.ts";

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

type Repair = (
  workspace: Workspace,
  rows: RegistryRows,
  fix: { readonly subject: GoalSubject; readonly drift: Drift },
) => Promise<string | null>;

/** Null from a repair: it could not be made. One entry a kind that can be repaired. */
const REPAIRS: Readonly<Partial<Record<Drift["kind"], Repair>>> = {
  state_file_missing: createStateFile,
  plan_conflict: settleConflict,
  artifacts_missing: writeRunFiles,
};

export async function fixDrift(
  workspace: Workspace,
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

interface OneFix {
  readonly subject: GoalSubject;
  readonly drift: Drift;
  readonly dryRun: boolean;
}

async function fixOne(workspace: Workspace, rows: RegistryRows, { subject, drift, dryRun }: OneFix): Promise<Fixed> {
  const about = { goal_id: drift.goal_id, kind: drift.kind };
  const repair = REPAIRS[drift.kind];
  if (dryRun || repair === undefined) return { ...about, outcome: "would_fix", message: commandOf(drift) };
  const message = await repair(workspace, rows, { subject, drift });
  return message === null
    ? { ...about, outcome: "not_fixed", message: commandOf(drift) }
    : { ...about, outcome: "fixed", message };
}

function commandOf({ fix }: Drift): string {
  return "command" in fix ? fix.command : fix.person;
}

async function createStateFile(
  workspace: Workspace,
  _rows: RegistryRows,
  { subject }: { readonly subject: GoalSubject },
): Promise<string | null> {
  const goal = subject.registered?.goal;
  const places = goal === undefined ? null : placesOf(workspace, goal);
  if (goal === undefined || places === null || places.state_file === null) return null;
  const base = (await workspace.store.load({ goal_id: goal.goal_id, todos: "none", base: "text" })).base;
  const text =
    base?.text ??
    newStateText({ goal_id: goal.goal_id, objective: goal.display_name ?? goal.goal_id, now: workspace.clock.now() });
  const path = places.state_file;
  const created = await workspace.store.exclusively(() => workspace.files.createFile(path, text));
  return created.kind === "created" ? `wrote ${path}` : null;
}

async function settleConflict(
  workspace: Workspace,
  rows: RegistryRows,
  { subject, drift }: { readonly subject: GoalSubject; readonly drift: Drift },
): Promise<string | null> {
  const fields = drift.subject === undefined ? ["next_action"] : [drift.subject];
  const state = stateOf(workspace, rows, subject);
  const written = await writeGoal(workspace, rows, {
    subject,
    state,
    commands: () => [{ kind: "settle-conflicts", fields }],
    rehearse: "store",
  });
  if (written.kind !== "written") return null;
  const { draft, base } = written;
  await showWrite(workspace, rows, { subject, events: draft.events, head: draft.head, base });
  return `the file's text stands for ${fields.map(quote).join(", ")}`;
}

async function writeRunFiles(
  workspace: Workspace,
  _rows: RegistryRows,
  { subject }: { readonly subject: GoalSubject },
): Promise<string | null> {
  const events = await workspace.store.events({
    goal_id: subject.goal_id,
    type: "run.recorded",
    order: "newest_first",
    limit: 1,
  });
  const run: RunEvent | undefined = events.find(isRun);
  if (run === undefined) return null;
  const { json_path, markdown_path } = runNames(workspace, run);
  const named = { json: nameOf(json_path), markdown: nameOf(markdown_path) };
  const outcome = await mirrorRun(workspace, run, { registered: subject.registered, named });
  return outcome.kind === "written" ? `wrote ${outcome.json_path}` : null;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
