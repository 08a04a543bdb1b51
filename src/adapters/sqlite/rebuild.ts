/** Makes what is derived of a goal again from its journal, event by event. */
import type { GoalEvent } from "../../core/events.ts";
import type { GoalHead, Todos } from "../../core/goal/head.ts";
import type { GoalId } from "../../core/id.ts";
import { type Maintenance, SNAPSHOT_EVERY } from "../../ports/store.ts";
import { putHead, removeHead } from "./apply.ts";
import { newestGeneration } from "./journal.ts";
import { forgetPast, type Kept, keepTodo, putSnapshot } from "./past.ts";
import { putTodo } from "./put-todo.ts";
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
  let last: Past = { goal_id: goalId, generation, seq: 0, todos: new Map() };
  const snapshot = (head: GoalHead, todos: Todos): void => {
    if (head.seq % SNAPSHOT_EVERY !== 0) return;
    keepChanged(sql, last, todos);
    putSnapshot(sql, head);
    last = { ...last, seq: head.seq, todos: new Map(todos) };
  };
  sql.run("delete from snapshots where goal_id = ? and generation = ?", goalId, generation);
  forgetSpend(sql, goalId);
  forgetPast(sql, goalId);
  const { head, todos } = fold(journal(), snapshot);
  keepChanged(sql, last, todos);
  sql.run("delete from todos where goal_id = ?", goalId);
  sql.run("delete from todo_links where goal_id = ?", goalId);
  if (head === null) removeHead(sql, goalId);
  else putHead(sql, head, null);
  for (const todo of todos.values()) putTodo(sql, goalId, todo);
  return count;
}

interface Past extends Kept {
  readonly todos: Todos;
}

/** What the todos were at the last snapshot, where they have changed since (P1 of `past.ts`). */
function keepChanged(sql: Sql, last: Past, todos: Todos): void {
  if (last.seq === 0) return;
  for (const [id, todo] of last.todos) if (todos.get(id) !== todo) keepTodo(sql, last, id, todo);
  for (const id of todos.keys()) if (!last.todos.has(id)) keepTodo(sql, last, id, null);
}
