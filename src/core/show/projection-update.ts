/**
 * The projection of a runtime root after one goal changed, from the one before: its cost is that goal's, not the page's.
 *
 * Does not own: making one from views (`projection.ts`), which is done whenever this says that it cannot tell.
 *
 * U4  The result is what `buildRootProjection` would give for a goal that is on neither list, before and after; where the
 *     goal is or should be on the page, null: the page is made anew.
 */
import { driftOf } from "../drift/drift-of.ts";
import type { Instant } from "../instant.ts";
import { attentionOf, rankOf } from "./attention.ts";
import { ROOT_PROJECTION_SCHEMA, type RootProjection } from "./projection.ts";
import { compareRanks, compareText } from "./rank.ts";
import type { Checked, StatusCounts } from "./status.ts";
import type { GoalView } from "./view.ts";

export interface RootChange {
  readonly registry: string;
  readonly view: GoalView;
  readonly counts: StatusCounts;
  readonly checked: Checked;
  readonly now: Instant;
}

/** `before`: what stands in the file, whatever that is. */
export function updateRootProjection(before: unknown, change: RootChange): RootProjection | null {
  if (!isRootProjection(before) || before.registry !== change.registry) return null;
  if (isOnGoalPage(before, change.view.goal_id) || isOnQueuePage(before, change)) return null;
  const { goals: goal_count, runs: run_count, ...counts } = change.counts;
  const left_out = {
    ...before.left_out,
    goals: goal_count - before.goals.length,
    attention: counts.attention - before.attention_queue.length,
  };
  const sameLists = left_out.goals > 0 === before.left_out.goals > 0 && left_out.attention > 0 === before.left_out.attention > 0;
  if (!sameLists || left_out.goals < 0 || left_out.attention < 0) return null;
  return { ...before, gathered_at: change.now, goal_count, run_count, counts, checked: change.checked, left_out };
}

function isRootProjection(value: unknown): value is RootProjection {
  if (typeof value !== "object" || value === null) return false;
  const known = value as Partial<RootProjection>;
  const lists = Array.isArray(known.goals) && Array.isArray(known.attention_queue) && typeof known.left_out === "object";
  return known.schema_version === ROOT_PROJECTION_SCHEMA && lists;
}

/** Goals stand by id: those up to the last one shown belong on the page. */
function isOnGoalPage({ goals }: RootProjection, goalId: string): boolean {
  const last = goals.at(-1);
  return last === undefined || compareText(goalId, last.goal_id) <= 0;
}

function isOnQueuePage({ attention_queue }: RootProjection, { view, now }: RootChange): boolean {
  if (attention_queue.some((item) => item.goal_id === view.goal_id)) return true;
  const item = attentionOf(view, { drift: driftOf(view, now), now });
  const last = attention_queue.at(-1);
  return item !== null && (last === undefined || compareRanks(rankOf(item), rankOf(last)) < 0);
}
