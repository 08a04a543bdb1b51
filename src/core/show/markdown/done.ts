/** `done` for people. */
import type { DonePayload } from "../done.ts";
import { code, markdown } from "../escape.ts";
import { list, page } from "./table.ts";
import { unitsText } from "./units.ts";
import { problemLine } from "./words.ts";

export function donePage(answer: DonePayload): string {
  const { todo_id, changed, dry_run, next_todos, no_follow_up, evidence, spent, over, quota_gate, then, warnings } = answer;
  const headline = changed ? "Done" : dry_run ? "Would be done (nothing was written)" : "Done already: nothing changed";
  return page(
    [`# ${headline}`],
    list([
      `todo: ${code(todo_id)}`,
      ...evidence.map(
        ({ label, outcome, duration_ms, cached }) =>
          `check ${markdown(label)}: ${outcome}${cached === true ? " before" : ` in ${duration_ms} ms`}`,
      ),
      ...(next_todos.length === 0 ? [] : [`next: ${next_todos.map(code).join(", ")}`]),
      ...(no_follow_up === null ? [] : [`nothing follows: ${markdown(no_follow_up)}`]),
      ...(spent === null ? [] : [`spent: ${unitsText(spent)}`]),
      ...(over === null ? [] : [`beyond the quota, not spent: ${unitsText(over)}`]),
      ...(quota_gate === null ? [] : [`the quota is used up, which ${code(quota_gate)} asks about`]),
      ...warnings.map(problemLine),
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}
