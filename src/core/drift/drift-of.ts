/**
 * All drift of one goal, and when time alone will change it.
 *
 * Does not own: what there is to find (`rules.ts`, one file a kind).
 *
 * G1  Drift is listed in the order of the rules and, within one, in that of the view: two readings of one view at one moment are equal.
 * G2  A stopped or archived goal is asked only what still matters there.
 * G3  From `now` until just before `nextChangeAt` the same view has the same drift.
 */
import type { Instant } from "../instant.ts";
import { activityOf, isFuture } from "../show/now.ts";
import type { GoalView } from "../show/view.ts";
import type { Concern, Drift, DriftRule } from "./drift.ts";
import { DRIFT_RULES } from "./rules.ts";

const ASKED: Readonly<Record<ReturnType<typeof activityOf>, readonly Concern[]>> = {
  running: ["running", "stopped_too", "archived_too"],
  stopped: ["stopped_too", "archived_too"],
  archived: ["archived_too"],
};

/** G1. */
export function driftOf(view: GoalView, now: Instant): readonly Drift[] {
  return rulesFor(view).flatMap((rule) => rule.find(view, now).map((finding) => ({ goal_id: view.goal_id, ...finding })));
}

/** G3, and the same for what is shown beside the drift: the latest run, the last activity. Null: time alone changes nothing. */
export function nextChangeAt(view: GoalView, now: Instant): Instant | null {
  const changes = rulesFor(view).map((rule) => rule.nextChange?.(view, now) ?? null);
  const dated = [...view.runs.latest.map((run) => run.at), view.runs.last_activity_at].filter((at) => isFuture(at, now));
  return [...changes, ...dated].filter((at) => at !== null).toSorted()[0] ?? null;
}

/** G2. */
function rulesFor(view: GoalView): readonly DriftRule[] {
  return DRIFT_RULES.filter((rule) => ASKED[activityOf(view)].includes(rule.concerns));
}
