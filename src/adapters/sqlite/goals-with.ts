/** Goals by what is found in them, each kind by an index of its own. */
import type { GoalId } from "../../core/id.ts";
import type { GoalTrace } from "../../ports/store.ts";
import { goalIdOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function selectGoalsWith(sql: Sql, registry: string, trace: GoalTrace): readonly GoalId[] {
  const [from, where, ...values] = placeOf(trace);
  return sql
    .rows(
      `select distinct goal_id from goals join ${from} using (goal_id) where ${where} and registry = ? order by goal_id`,
      ...values,
      registry,
    )
    .map(goalIdOf);
}

function placeOf(trace: GoalTrace): readonly [from: string, where: string, ...values: readonly string[]] {
  if (trace.kind === "todo") return ["todos", "todo_id = ?", trace.todo_id];
  if (trace.kind === "receipt") return ["receipts", "key = ?", trace.key];
  if (trace.owner === null) return ["leases", "todo_id = ?", trace.todo_id];
  if (trace.todo_id === null) return ["leases", "owner = ?", trace.owner];
  return ["leases", "todo_id = ? and owner = ?", trace.todo_id, trace.owner];
}
