/**
 * The picture of a whole project: its first page and what needs attention, as the cache has it.
 *
 * Does not own: bringing views up to date (`read-goal.ts`), sizes and wording (`core/show/status.ts`).
 */
import type { GoalId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";
import { PAGE_ROWS, type StatusCounts, type StatusInput, type ViewRow } from "../core/show/status.ts";
import type { GoalView } from "../core/show/view.ts";
import type { StoredView } from "../ports/store-views.ts";
import { viewOfStored } from "./read-goal.ts";
import type { RegistryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export type Picture = Omit<StatusInput, "extent" | "fields" | "continues" | "goal_filter">;

/** What the last readings left: nothing is looked at. */
export async function storedPicture(workspace: Workspace, rows: RegistryRows): Promise<Picture> {
  const { store } = workspace;
  const goals = await store.viewPage(rows.path, { after: null, limit: PAGE_ROWS });
  const attention = await store.attention(rows.path, { after: null, limit: PAGE_ROWS });
  const now = workspace.clock.now();
  const shown = async (row: StoredView): Promise<GoalView> => await viewOfStored(workspace, row, now);
  return {
    ...(await described(workspace, rows, 0)),
    goals: await Promise.all(goals.map(async (row) => ({ view: await shown(row), cursor: row.goal_id }))),
    attention: await Promise.all(attention.map(async (row) => ({ view: await shown(row), cursor: row.cursor }))),
    now,
  };
}

/** Everything of the picture but the two lists and the moment. */
export async function described(
  workspace: Workspace,
  rows: RegistryRows,
  checkedNow: number,
): Promise<Omit<Picture, "goals" | "attention" | "now">> {
  const counts = await workspace.store.viewCounts(rows.path);
  const goals = Math.max(rows.goal_count, counts.goals);
  return {
    registry: rows.path,
    runtime_root: workspace.roots.runtime_root,
    counts: { ...pickCounts(counts), goals },
    checked: { now: checkedNow, earlier: Math.max(0, counts.goals - checkedNow), oldest: counts.oldest_check },
    problems: problemsOf(rows),
  };
}

export function pickCounts(counts: StatusCounts): StatusCounts {
  const { goals, runs, attention, waiting_for_person, open_todos, waiting_todos, stopped } = counts;
  return { goals, runs, attention, waiting_for_person, open_todos, waiting_todos, stopped };
}

export function problemsOf(rows: RegistryRows): readonly Problem[] {
  if (rows.writable === "yes") return rows.problems;
  const message = "was written by a newer LoopX: it is read, and no command writes to it";
  return [{ path: rows.path, code: "registry_newer_version", message }, ...rows.problems];
}

export function rowsInOrder(
  views: readonly GoalView[],
  order: readonly { readonly goal_id: GoalId; readonly cursor: string }[],
): readonly ViewRow[] {
  const byId = new Map(views.map((view) => [view.goal_id, view]));
  return order.flatMap(({ goal_id, cursor }) => {
    const view = byId.get(goal_id);
    return view === undefined ? [] : [{ view, cursor }];
  });
}
