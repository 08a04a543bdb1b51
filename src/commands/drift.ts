/**
 * `drift`: where execution has moved away from intent, and putting right what can be put right safely.
 *
 * Does not own: what drifts (`core/drift`), each repair (`fix-drift.ts`).
 */
import { done, type Reply } from "../core/result.ts";
import { buildDriftList, type DriftPayload } from "../core/show/drift-list.ts";
import type { ViewRow } from "../core/show/status.ts";
import type { DriftRequest } from "./app.ts";
import { type Fixed, fixDrift } from "./fix-drift.ts";
import { readGoals } from "./read-goal.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { registeredSubjects, subjectOf, unregisteredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export interface DriftAnswer extends DriftPayload {
  /** With `--fix`: what was done, or would be done. */
  readonly fixed?: readonly Fixed[];
  readonly dry_run?: boolean;
}

export async function drift(workspace: Workspace, request: DriftRequest): Promise<Reply<DriftAnswer>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const subjects = await subjectsFor(workspace, rows.value, request.goalId);
  if (subjects.kind !== "done") return subjects;
  if (!request.fix) return done(await list(workspace, rows.value, { subjects: subjects.value, request }));
  const before = await readGoals(workspace, rows.value, { subjects: subjects.value, ttl_seconds: null });
  const fixed = await fixDrift(workspace, rows.value, { subjects: subjects.value, views: before, dryRun: request.dryRun });
  const after = await registryRows(workspace);
  if (after.kind !== "done") return after;
  const now = await subjectsFor(workspace, after.value, request.goalId);
  const left = await list(workspace, after.value, { subjects: now.kind === "done" ? now.value : [], request });
  return done({ ...left, fixed, dry_run: request.dryRun });
}

async function subjectsFor(
  workspace: Workspace,
  rows: RegistryRows,
  goalId: string | null,
): Promise<Reply<readonly GoalSubject[]>> {
  if (goalId === null) return done([...(await registeredSubjects(rows)), ...(await unregisteredSubjects(workspace, rows))]);
  const subject = await subjectOf(workspace, rows, goalId);
  return subject.kind === "done" ? done([subject.value]) : subject;
}

interface Listing {
  readonly subjects: readonly GoalSubject[];
  readonly request: DriftRequest;
}

async function list(workspace: Workspace, rows: RegistryRows, { subjects, request }: Listing): Promise<DriftPayload> {
  const views = await readGoals(workspace, rows, { subjects, ttl_seconds: null });
  const goals: readonly ViewRow[] = views.map((view) => ({ view, cursor: view.goal_id }));
  const { path: registry } = rows;
  const { runtime_root } = workspace.roots;
  const input = { registry, runtime_root, goal_filter: request.goalId, goal_count: goals.length, goals, seen: 0, kinds: null };
  return buildDriftList({ ...input, extent: { kind: "page" }, now: workspace.clock.now() });
}
