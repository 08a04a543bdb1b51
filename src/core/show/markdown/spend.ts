/** `quota spend-slot` for people. */
import { code, markdown } from "../escape.ts";
import type { SpendPayload } from "../spend.ts";
import { list, page } from "./table.ts";
import { unitsText } from "./units.ts";
import { problemLine } from "./words.ts";

export function spendPage(answer: SpendPayload): string {
  const { appended, dry_run, reason, goal_id, units, after, quota_gate, then, warnings } = answer;
  const headline = appended ? "Spent" : dry_run ? "Would be spent (nothing was written)" : "Spent before: nothing changed";
  return page(
    [`# ${headline}`],
    list([
      `goal: ${code(goal_id)}`,
      `amount: ${unitsText(units)}`,
      markdown(reason),
      ...(after === null ? [] : [`in the window: ${after.spent_slots} of ${after.allowed_slots} slots`]),
      ...(after?.next_eligible_at == null ? [] : [`the next turn fits from ${after.next_eligible_at} on`]),
      ...(quota_gate === null ? [] : [`the quota is used up, which ${code(quota_gate)} asks about`]),
      ...warnings.map(problemLine),
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}
