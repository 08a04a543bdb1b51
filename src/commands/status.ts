/**
 * `status`: reconciles the registry and the goals on the page, and shows them with what needs attention anywhere.
 *
 * Does not own: reading a goal (`read-goal.ts`), the payload (`core/show/status.ts`).
 *
 * O1  Goals that were never read are read first, all of them, once; after that a page costs its own goals (T5).
 * O2  The queue is over all goals; those on its page are read anew, so that nothing that was settled is shown as open.
 */
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import { type Extent, parseCursor, parseExtent, parseFields } from "../core/show/paging.ts";
import {
  buildStatus,
  PAGE_ROWS,
  STATUS_FIELDS,
  type StatusCounts,
  type StatusPayload,
  type ViewRow,
} from "../core/show/status.ts";
import type { GoalView } from "../core/show/view.ts";
import type { StatusRequest } from "./app.ts";
import { rankColumns, readGoals, viewsInTurn } from "./read-goal.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { described, rowsInOrder } from "./status-picture.ts";
import { placeOf, subjectsAfter } from "./subject-page.ts";
import { registeredSubjects, subjectOf, unregisteredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";
import type { Workspace } from "./workspace.ts";

interface Page {
  readonly extent: Extent;
  readonly fields: readonly string[] | null;
  readonly list: "goals" | "attention" | null;
  readonly seen: number;
  readonly after: string | null;
}

export async function status(workspace: Workspace, request: StatusRequest): Promise<Reply<StatusPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const page = pageOf(request);
  if (page.kind !== "done") return page;
  if (request.at !== undefined) return await statusOfPast(workspace, page.value, { ...request, at: request.at });
  if (request.clearCache) await workspace.store.forgetViews(rows.value.path);
  return request.goalId === null
    ? done(await statusOfAll(workspace, rows.value, { page: page.value, ttl: request.cacheTtlSeconds }))
    : await statusOfOne(workspace, rows.value, { goalId: request.goalId, page: page.value, ttl: request.cacheTtlSeconds });
}

function pageOf(request: StatusRequest): Reply<Page> {
  const extent = parseExtent({
    ...(request.limit !== null && { limit: String(request.limit) }),
    ...(request.all && { all: "all" }),
  });
  if (extent.kind !== "done") return extent;
  const fields = request.fields.length === 0 ? done(null) : parseFields(request.fields.join(","), STATUS_FIELDS);
  if (fields.kind !== "done") return fields;
  const start = { extent: extent.value, fields: fields.value, list: null, seen: 0, after: null };
  if (request.cursor === null) return done(start);
  const cursor = parseCursor(request.cursor, ["goals", "attention"]);
  if (cursor.kind !== "done") return cursor;
  const { list, seen, after } = cursor.value;
  return done({ ...start, list: list === "attention" ? "attention" : "goals", seen, after });
}

interface OneGoal {
  readonly goalId: string;
  readonly page: Page;
  readonly ttl: number | null;
}

async function statusOfPast(
  workspace: Workspace,
  page: Page,
  asked: { readonly goalId: string | null; readonly at: string },
): Promise<Reply<StatusPayload>> {
  const found = await (await import("./status-at.ts")).viewAt(workspace, asked);
  if (found.kind !== "done") return found;
  const { view, past } = found.value;
  return done({ ...statusOfView(workspace, past.rows, { view, goal_id: view.goal_id, page, now: past.at.time }), at: past.at });
}

async function statusOfOne(
  workspace: Workspace,
  rows: RegistryRows,
  { goalId, page, ttl }: OneGoal,
): Promise<Reply<StatusPayload>> {
  const subject = await subjectOf(workspace, rows, goalId);
  if (subject.kind !== "done") return subject;
  const [view] = await readGoals(workspace, rows, { subjects: [subject.value], ttl_seconds: ttl });
  return done(statusOfView(workspace, rows, { view, goal_id: subject.value.goal_id, page, now: workspace.clock.now() }));
}

interface ShownView {
  readonly view: GoalView | undefined;
  readonly goal_id: GoalId;
  readonly page: Page;
  readonly now: Instant;
}

function statusOfView(workspace: Workspace, rows: RegistryRows, { view, goal_id, page, now }: ShownView): StatusPayload {
  const listed: readonly ViewRow[] = view === undefined ? [] : [{ view, cursor: view.goal_id }];
  const input = {
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    counts: countsOf(view, now),
    checked: { now: 1, earlier: 0, oldest: now },
    problems: [],
    goals: listed,
    attention: listed,
    now,
  };
  return buildStatus({ ...input, goal_filter: goal_id, continues: null, extent: page.extent, fields: page.fields });
}

function countsOf(view: GoalView | undefined, now: Instant): StatusCounts {
  const columns = view === undefined ? null : rankColumns(view, now);
  const rank = columns?.rank ?? null;
  return {
    goals: view === undefined ? 0 : 1,
    runs: columns?.run_count ?? 0,
    attention: rank === null ? 0 : 1,
    waiting_for_person: rank?.waits_for_person === true ? 1 : 0,
    open_todos: columns?.open_todos ?? 0,
    waiting_todos: columns?.waiting_todos ?? 0,
    stopped: columns?.stopped ?? 0,
  };
}

interface AllGoals {
  readonly page: Page;
  readonly ttl: number | null;
}

async function statusOfAll(workspace: Workspace, rows: RegistryRows, { page, ttl }: AllGoals): Promise<StatusPayload> {
  const unregistered = await unregisteredSubjects(workspace, rows);
  const known = await firstReading(workspace, rows, { unregistered, everything: page.extent.kind === "all" });
  const lists = { page, read: readOnce(workspace, rows, ttl), unregistered };
  const goals = page.list === "attention" ? [] : await goalPage(rows, lists);
  const attention = page.list === "goals" ? [] : await attentionPage(workspace, rows, lists);
  const picture = await described(
    workspace,
    rows,
    Math.max(known, new Set([...goals, ...attention].map((row) => row.view.goal_id)).size),
  );
  const continues = page.list === null ? null : { list: page.list, seen: page.seen };
  const input = { ...picture, goals, attention, now: workspace.clock.now() };
  return buildStatus({ ...input, goal_filter: null, continues, extent: page.extent, fields: page.fields });
}

/** Of a note about which goals have been read. */
const LONGEST_STAMP = 32_768;

interface FirstReading {
  readonly unregistered: readonly GoalSubject[];
  readonly everything: boolean;
}

/** (O1) How many goals were looked at. Whose goals have been read is noted, so that one that takes another's place is met. */
async function firstReading(
  workspace: Workspace,
  rows: RegistryRows,
  { unregistered, everything }: FirstReading,
): Promise<number> {
  const { store } = workspace;
  const counts = await store.viewCounts(rows.path);
  const stamp = `${rows.fingerprint} ${unregistered.map((subject) => subject.goal_id).join("/")}`.slice(0, LONGEST_STAMP);
  const note = `read ${rows.path}`;
  if (!everything && counts.goals === rows.goal_count + unregistered.length && (await store.note(note)) === stamp) return 0;
  const subjects = [...(await registeredSubjects(rows)), ...unregistered];
  const unread = everything ? subjects : await withoutViews(workspace, rows, subjects);
  for await (const _ of viewsInTurn(workspace, rows, { subjects: unread, ttl_seconds: null }));
  await forgetOthers(workspace, rows, subjects);
  await store.saveNote(note, stamp);
  return unread.length;
}

async function withoutViews(
  workspace: Workspace,
  rows: RegistryRows,
  subjects: readonly GoalSubject[],
): Promise<readonly GoalSubject[]> {
  const known = await workspace.store.views(
    rows.path,
    subjects.map((subject) => subject.goal_id),
  );
  return subjects.filter((subject) => !known.has(subject.goal_id));
}

/** Goals that are no longer there are in no list and in no count. */
async function forgetOthers(workspace: Workspace, rows: RegistryRows, subjects: readonly GoalSubject[]): Promise<void> {
  const { store } = workspace;
  if ((await store.viewCounts(rows.path)).goals <= subjects.length) return;
  const wanted = new Set<string>(subjects.map((subject) => subject.goal_id));
  const gone: GoalId[] = [];
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly goal_id: GoalId }[] = await store.viewPage(rows.path, { after, limit: 1000 });
    gone.push(...page.map((row) => row.goal_id).filter((id) => !wanted.has(id)));
    const last = page.at(-1);
    if (last === undefined || page.length < 1000) break;
    after = last.goal_id;
  }
  if (gone.length > 0) await store.forgetViews(rows.path, gone);
}

/** Views of these goals, each read once a command however many lists it stands in. */
type ReadOnce = (subjects: readonly GoalSubject[]) => Promise<readonly GoalView[]>;

function readOnce(workspace: Workspace, rows: RegistryRows, ttl: number | null): ReadOnce {
  const seen = new Map<GoalId, GoalView>();
  return async (subjects) => {
    const unseen = subjects.filter((subject) => !seen.has(subject.goal_id));
    for (const view of await readGoals(workspace, rows, { subjects: unseen, ttl_seconds: ttl })) seen.set(view.goal_id, view);
    return subjects.flatMap((subject) => seen.get(subject.goal_id) ?? []);
  };
}

interface ListRequest {
  readonly page: Page;
  readonly read: ReadOnce;
  readonly unregistered: readonly GoalSubject[];
}

function limitOf(extent: Extent): number {
  if (extent.kind === "all") return Number.MAX_SAFE_INTEGER;
  return extent.kind === "limit" ? extent.rows : PAGE_ROWS;
}

/** Registered goals by id, then the folders without an entry. */
async function goalPage(rows: RegistryRows, { page, read, unregistered }: ListRequest): Promise<readonly ViewRow[]> {
  const limit = limitOf(page.extent);
  const after = page.list === "goals" ? page.after : null;
  const subjects = await subjectsAfter(rows, { after, limit, unregistered });
  const views = await read(subjects);
  return views.map((view) => ({ view, cursor: placeOf(view) }));
}

/** (O2) */
async function attentionPage(
  workspace: Workspace,
  rows: RegistryRows,
  { page, read, unregistered }: ListRequest,
): Promise<readonly ViewRow[]> {
  const { store } = workspace;
  const due = await store.dueViews(rows.path, workspace.clock.now(), 500);
  if (due.length > 0) await read(await subjectsOf(rows, due, unregistered));
  const limit = Math.min(limitOf(page.extent), 100_000);
  const list = async (): Promise<readonly { readonly goal_id: GoalId; readonly cursor: string }[]> =>
    await store.attention(rows.path, { after: page.list === "attention" ? page.after : null, limit });
  const listed = await list();
  await read(await subjectsOf(rows, idsOf(listed), unregistered));
  const order = await list();
  return rowsInOrder(await read(await subjectsOf(rows, idsOf(order), unregistered)), order);
}

function idsOf(rows: readonly { readonly goal_id: GoalId }[]): readonly GoalId[] {
  return rows.map((row) => row.goal_id);
}

async function subjectsOf(
  rows: RegistryRows,
  ids: readonly GoalId[],
  unregistered: readonly GoalSubject[],
): Promise<readonly GoalSubject[]> {
  const subjects: GoalSubject[] = [];
  for (const goal_id of ids) {
    const [registered] = await rows.find(goal_id);
    const folder = unregistered.find((subject) => subject.goal_id === goal_id);
    if (registered !== undefined) subjects.push({ goal_id, registered });
    else if (folder !== undefined) subjects.push(folder);
  }
  return subjects;
}
