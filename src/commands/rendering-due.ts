/** Whether the journal says something that the state file was not made to say yet. */
import type { GoalHead } from "../core/goal/head.ts";
import type { PlanBase } from "../ports/store.ts";

export function isRenderingDue(head: GoalHead | null, base: PlanBase | null): boolean {
  return head !== null && base !== null && head.plan_seq > base.rendered_seq;
}
