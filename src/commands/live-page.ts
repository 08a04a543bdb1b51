/** Ids of the goals that a page of the status shows; none while there is no page, or while it is a refusal. */
import type { Reply } from "../core/result.ts";

export function goalsOnPage(page: Reply<object> | null): readonly string[] {
  if (page === null || page.kind !== "done") return [];
  const { goals, attention_queue } = page.value as { readonly goals?: unknown; readonly attention_queue?: unknown };
  const rows: readonly unknown[] = [goals, attention_queue].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...new Set(rows.flatMap(goalIdOfRow))];
}

function goalIdOfRow(row: unknown): readonly string[] {
  const goalId = typeof row === "object" && row !== null && "goal_id" in row ? row.goal_id : null;
  return typeof goalId === "string" ? [goalId] : [];
}
