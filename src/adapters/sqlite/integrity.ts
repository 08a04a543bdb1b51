/** What is wrong with a store: the engine's own check, then the rules that the engine does not know. */
import type { Row } from "./engine.ts";
import { isDamage } from "./faults.ts";
import type { Sql } from "./sql.ts";

const HOLES = `
  select goal_id, generation, min(seq) as first, max(seq) as last, count(*) as count from events
  group by goal_id, generation having min(seq) <> 1 or max(seq) <> count(*) order by goal_id, generation`;

const STALE_HEADS = `
  select goal_id, generation, seq from goals
  where generation is not (select max(generation) from events where events.goal_id = goals.goal_id)
     or seq is not (select max(seq) from events where events.goal_id = goals.goal_id and events.generation = goals.generation)
     or json_extract(head, '$.seq') is not seq or json_extract(head, '$.generation') is not generation
  order by goal_id`;

const MISSING_HEADS = `
  select distinct goal_id from events where goal_id not in (select goal_id from goals) order by goal_id`;

const STRAY_TODOS = `
  select distinct goal_id from todos where goal_id not in (select goal_id from goals) order by goal_id`;

/**
 * A damaged index can hide rows from the rules, so they are asked only when the engine found nothing. Not to be run inside a
 * transaction: once damage was met, the engine does not end it well. Each rule is one statement and sees one state.
 */
export function problemsOf(sql: Sql): readonly string[] {
  try {
    const found = sql.rows("select integrity_check from pragma_integrity_check").map((row) => String(row["integrity_check"]));
    return found.every((line) => line === "ok") ? brokenRules(sql) : found;
  } catch (error) {
    if (error instanceof Error && isDamage(error)) return [error.message];
    throw error;
  }
}

function brokenRules(sql: Sql): readonly string[] {
  const rule = (text: string, describe: (row: Row) => string): readonly string[] => sql.rows(text).map(describe);
  return [
    ...rule(
      HOLES,
      (row) =>
        `journal of ${row["goal_id"]}/${row["generation"]}: ${row["count"]} events numbered ${row["first"]} to ${row["last"]}`,
    ),
    ...rule(
      STALE_HEADS,
      (row) => `head of ${row["goal_id"]} stands at ${row["generation"]}/${row["seq"]}, which is not the end of its journal`,
    ),
    ...rule(MISSING_HEADS, (row) => `${row["goal_id"]} has a journal and no head`),
    ...rule(STRAY_TODOS, (row) => `${row["goal_id"]} has todos and no head`),
  ];
}
