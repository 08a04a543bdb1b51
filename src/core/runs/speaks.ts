/**
 * Which runs say something about where the goal stands (data-plane 5, `latest_status_run`).
 *
 * R3  Bookkeeping classes and runs of an agent lane never become a goal's latest run.
 */

const NEUTRAL_CLASSES: ReadonlySet<string> = new Set(["quota_slot_spent", "quota_slot_voided", "quota_monitor_poll"]);

export function speaksForGoal(run: { readonly classification?: unknown; readonly progress_scope?: unknown }): boolean {
  return !isNeutral(run.classification) && run.progress_scope !== "agent_lane";
}

export function isNeutral(classification: unknown): boolean {
  return typeof classification === "string" && (NEUTRAL_CLASSES.has(classification) || classification.includes("promotion_readiness"));
}
