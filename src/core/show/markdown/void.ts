/** `quota void-slot`: what it answers, and the page of it. */
import type { Units } from "../../events.ts";
import type { Problem } from "../../result.ts";
import { code, markdown } from "../escape.ts";
import type { ShownQuota } from "../quota.ts";
import { list, page } from "./table.ts";
import { unitsText } from "./units.ts";
import { problemLine } from "./words.ts";

export interface VoidPayload {
  readonly ok: true;
  readonly mode: "void-slot";
  readonly goal_id: string;
  readonly voided_seq: number;
  readonly voided_generated_at: string;
  readonly units: Units;
  readonly appended: boolean;
  readonly dry_run: boolean;
  readonly reason: string;
  readonly before: ShownQuota | null;
  readonly after: ShownQuota | null;
  readonly warnings: readonly Problem[];
}

export function voidPage(answer: VoidPayload): string {
  const { appended, dry_run, goal_id, voided_seq, voided_generated_at, units, reason, after, warnings } = answer;
  const headline = appended
    ? "Taken back"
    : dry_run
      ? "Would be taken back (nothing was written)"
      : "Taken back before: nothing changed";
  return page(
    [`# ${headline}`],
    list([
      `goal: ${code(goal_id)}`,
      `spend: number ${voided_seq} of ${voided_generated_at}, ${unitsText(units)}`,
      markdown(reason),
      ...(after === null ? [] : [`in the window: ${after.spent_slots} of ${after.allowed_slots} slots`]),
      ...warnings.map(problemLine),
    ]),
    [`Next: ${code("loopx status")}`],
  );
}
