/** Makes what is derived of a goal again from its journal, event by event. */
import type { GoalEvent } from "../../core/events.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId } from "../../core/id.ts";
import { type Maintenance, SNAPSHOT_EVERY } from "../../ports/store.ts";
import { putHead, putSnapshot, putTodo } from "./apply.ts";
import { newestGeneration } from "./journal.ts";
import { eventOf } from "./rows.ts";
import { applySpend, forgetSpend } from "./spend.ts";
import type { Sql } from "./sql.ts";

type Fold = Parameters<Maintenance["rebuild"]>[1];

/** Answers how many events were read. */
export function rebuildGoal(sql: Sql, goalId: GoalId, fold: Fold): number {
  const generation = newestGeneration(sql, goalId);
  let count = 0;
  function* journal(): Iterable<GoalEvent> {
    for (const row of sql.each("select * from events where goal_id = ? and generation = ? order by seq", goalId, generation)) {
      count += 1;
      const event = eventOf(row);
      applySpend(sql, event);
      yield event;
    }
  }
  const snapshot = (head: GoalHead): void => {
    if (head.seq % SNAPSHOT_EVERY === 0) putSnapshot(sql, head);
  };
  sql.run("delete from snapshots where goal_id = ? and generation = ?", goalId, generation);
  forgetSpend(sql, goalId);
  const { head, todos } = fold(journal(), snapshot);
  sql.run("delete from todos where goal_id = ?", goalId);
  sql.run("delete from todo_links where goal_id = ?", goalId);
  if (head === null) sql.run("delete from goals where goal_id = ?", goalId);
  else putHead(sql, head);
  for (const todo of todos.values()) putTodo(sql, goalId, todo);
  return count;
}
