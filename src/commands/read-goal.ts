/**
 * Reads what can be shown of goals: from the cache where nothing moved, else from what moved and no more.
 *
 * Does not own: which goals are asked for (`status.ts` and others), how views are put together (`goal-view.ts`).
 *
 * T1  A read appends nothing: what a person changed is folded in memory by the same commands that a write persists.
 * T2  A view is used again only while everything it was made from is what it was (S18); when only runs were added, the
 *     state file and the todos are not read again.
 * T3  Cost follows the goals that were asked for and what moved in them.
 * T4  A goal has its place in the lists and counts however large its view is: one that is too large is kept shortened, for no more
 *     than that, and read anew each time it is shown.
 */

import { driftOf, nextChangeAt } from "../core/drift/drift-of.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId } from "../core/id.ts";
import { addMilliseconds, type Instant } from "../core/instant.ts";
import { attentionOf, rankOf } from "../core/show/attention.ts";
import { fittedJson } from "../core/show/fitted-json.ts";
import type { GoalView } from "../core/show/view.ts";
import type { StoredView, ViewEntry } from "../ports/store-views.ts";
import { MAX_VIEW_BYTES } from "../ports/store-views.ts";
import { clockStep } from "./goal-clock.ts";
import { type PlanPart, viewOf } from "./goal-view.ts";
import type { ReadRuns } from "./read-runs.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { type GoalSubject, isShortened, isViewOf, keyOf, planKeyIn, storedKey, type ViewKey } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export interface ReadRequest {
  readonly subjects: readonly GoalSubject[];
  /** Views older than this are made anew although nothing moved; null: no such bound. */
  readonly ttl_seconds: number | null;
}

/** Views made before they are saved, so that a first reading can be stopped and goes on where it was. */
const SAVE_EVERY = 200;
const WITHHELD_SETTLES_MS = 2000;

type ReadPlan = typeof import("./read-plan.ts").readPlanPart;

/** What is kept of a view (T2). */
interface CachedView {
  readonly plan: PlanPart;
  readonly runs: ReadRuns;
  /** Holds changes of files that no command has persisted yet. */
  readonly folded: boolean;
}

interface Read {
  readonly view: GoalView;
  /** What is to be cached; null when the cache has it. */
  readonly entry: ViewEntry | null;
}

/** In the order they were asked for. */
export async function readGoals(workspace: Workspace, rows: RegistryRows, request: ReadRequest): Promise<readonly GoalView[]> {
  const views: GoalView[] = [];
  for await (const some of viewsInTurn(workspace, rows, request)) views.push(...some);
  return views;
}

/** The same, some at a time: all views of many goals would be hundreds of megabytes. */
export async function* viewsInTurn(
  workspace: Workspace,
  rows: RegistryRows,
  request: ReadRequest,
): AsyncGenerator<readonly GoalView[]> {
  for (let from = 0; from < request.subjects.length; from += SAVE_EVERY) {
    const subjects = request.subjects.slice(from, from + SAVE_EVERY);
    const known = await workspace.store.views(
      rows.path,
      subjects.map((subject) => subject.goal_id),
    );
    const views: GoalView[] = [];
    const made: ViewEntry[] = [];
    for (const subject of subjects) {
      const read = await readGoal(workspace, rows, {
        subject,
        stored: known.get(subject.goal_id) ?? null,
        ttl_seconds: request.ttl_seconds,
      });
      views.push(read.view);
      if (read.entry !== null) made.push(read.entry);
      workspace.progress.report(from + views.length, request.subjects.length, "goals");
    }
    if (made.length > 0) await workspace.store.saveViews(rows.path, made);
    yield views;
  }
}

interface Asked {
  readonly subject: GoalSubject;
  readonly stored: StoredView | null;
  readonly ttl_seconds: number | null;
}

async function readGoal(workspace: Workspace, rows: RegistryRows, asked: Asked): Promise<Read> {
  const { subject, stored } = asked;
  const now = workspace.clock.now();
  const head = await standingHead(workspace, subject.goal_id);
  const key = keyOf(workspace, subject, { head, now });
  const cached = usable(stored, asked.ttl_seconds, now);
  const moment = { head, clock_stepped: clockStep(head, now), now };
  if (cached !== null && isViewOf(stored, key)) return { view: viewOf(cached.plan, cached.runs, moment), entry: null };
  const kept = cached !== null && planKeyIn(stored?.key ?? "") === key.plan ? cached : null;
  const { plan, folded } = kept ?? (await planPart(workspace, rows, { subject, now }));
  const runs = await (await import("./read-runs.ts")).readRuns(workspace, subject.goal_id, head);
  const view = viewOf(plan, runs, moment);
  return { view, entry: entryOf({ view, cached: { plan, runs, folded }, key, now }) };
}

/** Whoever meets a goal on its way to or from an archive brings it there (design 2). */
async function standingHead(workspace: Workspace, goal_id: GoalId): Promise<GoalHead | null> {
  const request = { goal_id, todos: "none", base: "none" } as const;
  const { head } = await workspace.store.load(request);
  if (head?.lifecycle.kind !== "archiving" && head?.lifecycle.kind !== "restoring") return head;
  const moving = await (await workspace.writing()).moving();
  await (await import("./archive-finish-moves.ts")).finishMoves(moving, goal_id);
  return (await workspace.store.load(request)).head;
}

/** Loaded on demand: the grammar and the journal's rules are not needed where nothing moved. */
async function planPart(...given: Parameters<ReadPlan>): ReturnType<ReadPlan> {
  return await (await import("./read-plan.ts")).readPlanPart(...given);
}

function usable(stored: StoredView | null, ttlSeconds: number | null, now: Instant): CachedView | null {
  if (stored === null || isShortened(stored) || isTooOld(stored, ttlSeconds, now)) return null;
  const cached: CachedView = JSON.parse(stored.view);
  return cached.plan.withheld.some((entry) => addMilliseconds(entry.since, WITHHELD_SETTLES_MS) <= now) ? null : cached;
}

/** A view from the future is as little to be trusted as one that is too old. */
function isTooOld(stored: StoredView, ttlSeconds: number | null, now: Instant): boolean {
  if (ttlSeconds === null) return false;
  return ttlSeconds <= 0 || stored.checked_at > now || addMilliseconds(stored.checked_at, ttlSeconds * 1000) <= now;
}

function entryOf({
  view,
  cached,
  key,
  now,
}: {
  readonly view: GoalView;
  readonly cached: CachedView;
  readonly key: ViewKey;
  readonly now: Instant;
}): ViewEntry | null {
  const kept = fittedJson(cached, MAX_VIEW_BYTES);
  if (kept === null) return null;
  const as = storedKey(key, { folded: cached.folded, whole: kept.whole });
  return { ...rankColumns(view, now), goal_id: view.goal_id, key: as, checked_at: now, view: kept.text }; // (T4)
}

/** What the store sorts and counts by. */
export function rankColumns(
  view: GoalView,
  now: Instant,
): Pick<ViewEntry, "rank" | "run_count" | "open_todos" | "waiting_todos" | "stopped" | "next_change_at"> {
  const item = attentionOf(view, { drift: driftOf(view, now), now });
  return {
    rank: item === null ? null : rankOf(item),
    run_count: view.runs.count,
    open_todos: view.todo_counts.open,
    waiting_todos: view.todo_counts.waiting_for_person,
    stopped: isStopped(view) ? 1 : 0,
    next_change_at: nextChangeAt(view, now),
  };
}

function isStopped(view: GoalView): boolean {
  return view.activation.kind === "stopped" || view.lifecycle.kind !== "active";
}

/** A view as the cache has it, whatever has moved since. */
export async function viewOfStored(workspace: Pick<Workspace, "store">, stored: StoredView, now: Instant): Promise<GoalView> {
  const { head } = await workspace.store.load({ goal_id: stored.goal_id, todos: "none", base: "none" });
  const cached: CachedView = JSON.parse(stored.view);
  return viewOf(cached.plan, cached.runs, { head, clock_stepped: clockStep(head, now), now });
}
