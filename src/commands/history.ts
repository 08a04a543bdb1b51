/**
 * `history`: runs of one goal or of all, newest first, own and foreign in one order.
 *
 * Does not own: the payload (`core/show/history.ts`).
 *
 * P1  A page costs its own rows: each goal gives at most a page of its newest, whatever its history.
 */
import type { GoalHead } from "../core/goal/head.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { compareRuns } from "../core/runs/history.ts";
import { indexRowText } from "../core/runs/record.ts";
import type { RunRow, RunSummary } from "../core/runs/run.ts";
import { summarise, summariseEvent } from "../core/runs/summary.ts";
import { buildHistory, HISTORY_ROWS, type HistoryGoal, type HistoryPayload, type HistoryRun } from "../core/show/history.ts";
import { type Extent, parseCursor, parseExtent } from "../core/show/paging.ts";
import type { HistoryRequest } from "./app.ts";
import { catchUpForeign, type ForeignReading } from "./foreign-runs.ts";
import { foreignUntil } from "./foreign-until.ts";
import { isRun } from "./mirror-run.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { runNames } from "./run-names.ts";
import { registeredSubjects, subjectOf, unregisteredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

export async function history(workspace: Workspace, request: HistoryRequest): Promise<Reply<HistoryPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const extent = parseExtent({
    ...(request.limit !== null && { limit: String(request.limit) }),
    ...(request.all === true && { all: "all" }),
  });
  if (extent.kind !== "done") return extent;
  const cursor = request.cursor === null ? done(null) : parseCursor(request.cursor, ["runs"]);
  if (cursor.kind !== "done") return cursor;
  if (request.at !== undefined) {
    const past = await (await import("./past.ts")).lookBack(workspace, { goalId: request.goalId, at: request.at });
    if (past.kind !== "done") return past;
    const { registered, at } = past.value;
    const subjects = [{ goal_id: registered.goal.goal_id, registered }];
    const asked = { subjects, filter: request.goalId, extent: extent.value, skip: cursor.value?.seen ?? 0, until: at.time };
    return done({ ...(await page(past.value.workspace, past.value.rows, asked)), at });
  }
  const subjects = await subjectsFor(workspace, rows.value, request.goalId);
  if (subjects.kind !== "done") return subjects;
  const skip = cursor.value?.seen ?? 0;
  return done(
    await page(workspace, rows.value, {
      subjects: subjects.value,
      filter: request.goalId,
      extent: extent.value,
      skip,
      until: null,
    }),
  );
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

interface Page {
  readonly subjects: readonly GoalSubject[];
  readonly filter: string | null;
  readonly extent: Extent;
  readonly skip: number;
  /** Runs of others that are later are left out. */
  readonly until: Instant | null;
}

interface Candidate {
  readonly summary: RunSummary;
  readonly row: RunRow;
}

async function page(
  workspace: Workspace,
  rows: RegistryRows,
  { subjects, filter, extent, skip, until }: Page,
): Promise<HistoryPayload> {
  const limit = limitOf(extent);
  const goals: HistoryGoal[] = [];
  const newest: Candidate[] = [];
  let run_count = 0;
  for (const [at, subject] of subjects.entries()) {
    const read = await readSubject(workspace, subject, { limit: skip + limit, until });
    goals.push(read.goal);
    run_count += read.goal.unique_runs;
    newest.push(...read.runs);
    if (newest.length > 4 * (skip + limit)) keepNewest(newest, skip + limit); // (P1)
    workspace.progress.report(at + 1, subjects.length, "goals");
  }
  keepNewest(newest, skip + limit);
  const runs = newest.slice(skip, skip + limit).map((candidate, at) => shownRun(workspace, candidate, skip + at + 1));
  const { path: registry } = rows;
  const { runtime_root } = workspace.roots;
  const now = workspace.clock.now();
  return buildHistory({
    registry,
    runtime_root,
    goal_filter: filter,
    goal_count: subjects.length,
    run_count,
    goals,
    runs,
    seen: skip,
    extent,
    now,
  });
}

/** Of `--all` no more than a store gives at once. */
const EVERY_RUN = 1_000_000;

function limitOf(extent: Extent): number {
  if (extent.kind === "all") return EVERY_RUN;
  return extent.kind === "limit" ? extent.rows : HISTORY_ROWS;
}

function keepNewest(runs: Candidate[], count: number): void {
  runs.sort((a, b) => compareRuns(a.summary, b.summary));
  runs.splice(count);
}

async function readSubject(
  workspace: Workspace,
  subject: GoalSubject,
  { limit, until }: { readonly limit: number; readonly until: Instant | null },
): Promise<{ readonly goal: HistoryGoal; readonly runs: readonly Candidate[] }> {
  const { store, run_files: files, clock } = workspace;
  const { head } = await store.load({ goal_id: subject.goal_id, todos: "none", base: "none" });
  const reading = await catchUpForeign({ store, files, clock, generation: head?.generation ?? 1 }, subject.goal_id);
  const foreign = foreignUntil(reading, until);
  const placed = await foreign.newest({ which: "all", skip: 0, limit });
  const theirs = placed.map((row) => ({ summary: summarise(row, subject.goal_id), row: row.row }));
  const ours = head === null ? [] : await ownRuns(workspace, head, limit);
  return { goal: await goalRow(subject, head, foreign), runs: [...ours, ...theirs] };
}

async function ownRuns(workspace: Workspace, head: GoalHead, limit: number): Promise<readonly Candidate[]> {
  const { goal_id, generation } = head;
  const events = await workspace.store.events({ goal_id, generation, type: "run.recorded", order: "newest_first", limit });
  const { store_id } = workspace.store.facts();
  return events.filter(isRun).map((event) => {
    const paths = runNames(workspace, event);
    const row: RunRow = JSON.parse(indexRowText(event, { store_id, ...paths }));
    return { summary: summariseEvent(event, paths), row };
  });
}

async function goalRow(subject: GoalSubject, head: GoalHead | null, foreign: ForeignReading): Promise<HistoryGoal> {
  const goal = subject.registered?.goal ?? null;
  const own = head?.run_count ?? 0;
  return {
    id: subject.goal_id,
    activation_state: goal?.activation.state === "stopped" ? "stopped" : "active",
    display_name: goal?.display_name ?? null,
    domain: goal?.domain ?? null,
    status: goal === null ? "legacy-runtime" : goal.status,
    registry_member: goal !== null,
    legacy_runtime_goal: goal === null,
    raw_index_records: (foreign.checkpoint?.raw_records ?? 0) + own,
    unique_runs: (await foreign.count()) + own,
    damage_count: foreign.damage_count,
  };
}

function shownRun(workspace: Workspace, { summary, row }: Candidate, place: number): HistoryRun {
  return {
    row,
    at: summary.at,
    origin: summary.origin,
    ...existence(workspace, "json_exists", row.json_path),
    ...existence(workspace, "markdown_exists", row.markdown_path),
    cursor: `${place}`,
  };
}

function existence<K extends string>(workspace: Workspace, key: K, path: unknown): { readonly [P in K]?: boolean } {
  if (typeof path !== "string" || path === "") return {};
  const whole = path.startsWith("/") ? path : `${workspace.roots.project_root}/${path}`;
  return { [key]: workspace.tree.look(whole) !== "missing" } as { readonly [P in K]?: boolean };
}
