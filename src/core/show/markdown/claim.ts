/** `claim` for people. */
import type { ClaimPayload } from "../claim.ts";
import { code, markdown as text } from "../escape.ts";
import { list, page } from "./table.ts";
import { problemLine } from "./words.ts";

export function claimPage(answer: ClaimPayload): string {
  const { todo, lease, decision, then, warnings, dry_run, left_out } = answer;
  if (todo === null || lease === null) {
    const wait = decision?.wait ?? null;
    return page(
      ["# Nothing to claim"],
      list([
        ...(decision === null ? [] : [`why: ${text(decision.because)} (${code(decision.why)})`]),
        ...(wait === null ? [] : [`ask again: ${wait.until}`]),
      ]),
      then.length === 0 ? [] : [`Next: ${then.map(code).join(" or ")}`],
    );
  }
  return page(
    [`# ${dry_run ? "Would be claimed" : "Claimed"}: ${text(todo.text)}`],
    list([
      `todo: ${code(todo.todo_id)}`,
      `owner: ${code(lease.owner)}`,
      `lease: number ${lease.epoch}, until ${lease.expires_at}`,
      ...(left_out === undefined ? [] : [`shortened here, and whole with ${left_out.get.map(code).join(" or ")}`]),
      ...warnings.map(problemLine),
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}
