/**
 * Which runs say something about where the goal stands (data-plane 5, `latest_status_run`).
 *
 * R3  Bookkeeping classes and runs of an agent lane never become a goal's latest run.
 */

/** The whole list; the last one is the only promotion-readiness class that was ever written. */
export const NEUTRAL_CLASSES: ReadonlySet<string> = new Set([
  "quota_slot_spent",
  "quota_slot_voided",
  "quota_monitor_poll",
  "canary_promotion_readiness_smoke_group",
]);

export function speaksForGoal(run: { readonly classification?: unknown; readonly progress_scope?: unknown }): boolean {
  return !isNeutral(run.classification) && run.progress_scope !== "agent_lane"; // (R3)
}

export function isNeutral(classification: unknown): boolean {
  return typeof classification === "string" && NEUTRAL_CLASSES.has(classification);
}
