/**
 * `drift`: where execution has moved away from intent, and putting right what can be put right safely.
 *
 * Does not own: what drifts (`core/drift`), each repair (`fix-drift.ts`).
 *
 * D1  A page costs its own goals: the default one reads on until it is full or `MOST_GOALS` were looked at.
 * D2  `--fix` repairs the goals that were asked for: all, unless a goal or a part of the list was.
 */
import { done, type Reply } from "../core/result.ts";
import { buildDriftList, type DriftPayload } from "../core/show/drift-list.ts";
import { type Extent, parseCursor, parseExtent } from "../core/show/paging.ts";
import type { ViewRow } from "../core/show/status.ts";
import type { DriftRequest } from "./app.ts";
import type { Fixed } from "./fix-drift.ts";
import { readGoals } from "./read-goal.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { placeOf, subjectsAfter } from "./subject-page.ts";
import { subjectOf, unregisteredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export interface DriftAnswer extends DriftPayload {
  /** With `--fix`: what was done, or would be done. */
  readonly fixed?: readonly Fixed[];
  readonly dry_run?: boolean;
}

/** Goals behind one default page. */
const MOST_GOALS = 500;

interface Page {
  readonly goalId: string | null;
  readonly extent: Extent;
  readonly seen: number;
  readonly after: string | null;
}

export async function drift(workspace: Workspace, request: DriftRequest): Promise<Reply<DriftAnswer>> {
  const page = pageOf(request);
  if (page.kind !== "done") return page;
  const listed = await listing(workspace, page.value);
  if (listed.kind !== "done") return listed;
  if (!request.fix) return done(await list(workspace, listed.value, page.value));
  const fixed = await fix(workspace, request, page.value);
  if (fixed.kind !== "done") return fixed;
  const left = await listing(workspace, page.value);
  if (left.kind !== "done") return left;
  return done({ ...(await list(workspace, left.value, page.value)), fixed: fixed.value, dry_run: request.dryRun });
}

function pageOf({ goalId, limit = null, cursor: place = null, all = false }: DriftRequest): Reply<Page> {
  const extent = parseExtent({ ...(limit !== null && { limit: String(limit) }), ...(all && { all: "all" }) });
  if (extent.kind !== "done") return extent;
  const start = { goalId, extent: extent.value, seen: 0, after: null };
  if (place === null) return done(start);
  const cursor = parseCursor(place, ["drift"]);
  return cursor.kind === "done" ? done({ ...start, seen: cursor.value.seen, after: cursor.value.after }) : cursor;
}

interface Listing {
  readonly rows: RegistryRows;
  readonly subjects: readonly GoalSubject[];
  /** Goals that there are, on this page and others. */
  readonly goal_count: number;
}

async function listing(workspace: Workspace, page: Page): Promise<Reply<Listing>> {
  const found = await registryRows(workspace);
  if (found.kind !== "done") return found;
  const rows = found.value;
  if (page.goalId !== null) {
    const subject = await subjectOf(workspace, rows, page.goalId);
    return subject.kind === "done" ? done({ rows, subjects: [subject.value], goal_count: 1 }) : subject;
  }
  const unregistered = await unregisteredSubjects(workspace, rows);
  const subjects = await subjectsAfter(rows, { after: page.after, limit: limitOf(page.extent), unregistered });
  return done({ rows, subjects, goal_count: rows.goal_count + unregistered.length });
}

/** (D1) */
function limitOf(extent: Extent): number {
  if (extent.kind === "all") return Number.MAX_SAFE_INTEGER;
  return extent.kind === "limit" ? extent.rows : MOST_GOALS;
}

async function list(workspace: Workspace, { rows, subjects, goal_count }: Listing, page: Page): Promise<DriftPayload> {
  const views = await readGoals(workspace, rows, { subjects, ttl_seconds: null });
  const goals: readonly ViewRow[] = views.map((view) => ({ view, cursor: placeOf(view) }));
  return buildDriftList({
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    goal_filter: page.goalId,
    goal_count,
    goals,
    seen: page.seen,
    kinds: null,
    extent: page.extent,
    now: workspace.clock.now(),
  });
}

/** (D2) */
async function fix(workspace: Workspace, request: DriftRequest, page: Page): Promise<Reply<readonly Fixed[]>> {
  const isPart = page.extent.kind === "limit" || page.after !== null;
  const wanted = await listing(workspace, isPart ? page : { ...page, extent: { kind: "all" } });
  if (wanted.kind !== "done") return wanted;
  const { rows, subjects } = wanted.value;
  const views = await readGoals(workspace, rows, { subjects, ttl_seconds: null });
  const { fixDrift } = await import("./fix-drift.ts");
  return done(await fixDrift(await workspace.writing(), rows, { subjects, views, dryRun: request.dryRun }));
}
