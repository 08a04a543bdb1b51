/** Whether a run recorded work that counts (decision-plane 4.3). */
import type { RunFacts } from "../events.ts";

const DELIVERED: ReadonlySet<string> = new Set(["outcome_progress", "primary_goal_outcome"]);

export function deliveredRun({ delivery_outcome }: Pick<RunFacts, "delivery_outcome">): boolean {
  return DELIVERED.has(delivery_outcome ?? "");
}
