/**
 * What a goal was at its snapshots: the head whole, of the todos those that were changed since.
 *
 * Does not own: what follows from a snapshot (whoever asks folds the events after it).
 *
 * Why so: copies of all todos at each snapshot would cost a goal of 10,000 todos megabytes every 256 events, and folding from the
 * first event would cost the whole history. A todo is kept once between two snapshots, by the write that changes it first.
 *
 * P1  A row says what a todo was at the snapshot `seq`, null where it was not there. It is written before the todo changes for the
 *     first time after that snapshot.
 * P2  At a snapshot a todo is what its oldest row from that snapshot on says; without such a row it is what it is now.
 * P3  Before the first snapshot nothing is kept: the journal from its beginning is short enough.
 */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { PastState } from "../../ports/store.ts";
import type { Row } from "./engine.ts";
import { headOf, numberOf, todoOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function putSnapshot(sql: Sql, head: GoalHead): void {
  sql.run(
    "insert or replace into snapshots (goal_id, generation, seq, head) values (?, ?, ?, ?)",
    head.goal_id,
    head.generation,
    head.seq,
    JSON.stringify(head),
  );
}

/** Of the newest snapshot; 0 when there is none. */
export function newestSnapshot(sql: Sql, { goal_id, generation }: Pick<GoalHead, "goal_id" | "generation">): number {
  const row = sql.row("select max(seq) as seq from snapshots where goal_id = ? and generation = ?", goal_id, generation);
  return row === undefined ? 0 : (numberOf(row, "seq") ?? 0);
}

export interface Kept {
  readonly goal_id: GoalId;
  readonly generation: number;
  /** The snapshot at which the todos were so. */
  readonly seq: number;
}

/** (P1) Before a write to these todos. */
export function keepTodos(sql: Sql, { goal_id, generation, seq }: Kept, ids: readonly TodoId[]): void {
  if (seq === 0 || ids.length === 0) return; // (P3)
  sql.run(
    `insert or ignore into todo_past (goal_id, generation, todo_id, seq, data)
     select ?, ?, value, ?, (select data from todos where goal_id = ? and todo_id = value) from json_each(?)`,
    goal_id,
    generation,
    seq,
    goal_id,
    JSON.stringify(ids),
  );
}

export function keepTodo(sql: Sql, { goal_id, generation, seq }: Kept, id: TodoId, todo: TodoRecord | null): void {
  const data = todo === null ? null : JSON.stringify(todo);
  sql.run("insert or ignore into todo_past values (?, ?, ?, ?, ?)", goal_id, generation, id, seq, data);
}

/** Looking back reaches no further than the generation that stands. */
export function forgetPast(sql: Sql, goalId: GoalId): void {
  sql.run("delete from todo_past where goal_id = ?", goalId);
}

export function standingBefore(sql: Sql, goalId: GoalId, seq: number): PastState | null {
  const row = sql.row(
    `select snapshots.head as head from snapshots join goals on goals.goal_id = snapshots.goal_id
       and goals.generation = snapshots.generation
     where snapshots.goal_id = ? and snapshots.seq <= ? order by snapshots.seq desc limit 1`,
    goalId,
    seq,
  );
  if (row === undefined) return null;
  const head = headOf(row);
  return { head, todos: todosAt(sql, head) };
}

/** (P2) Each id is looked up once: rows of a todo that is often changed are passed over. */
function todosAt(sql: Sql, { goal_id, generation, seq }: GoalHead): PastState["todos"] {
  const rows = sql.rows(
    `with recursive ids (id) as (
       select min(todo_id) from todo_past where goal_id = ?1 and generation = ?2
       union all
       select (select min(todo_id) from todo_past where goal_id = ?1 and generation = ?2 and todo_id > ids.id)
       from ids where ids.id is not null
     ),
     known (id, at) as (
       select id, (select min(seq) from todo_past where goal_id = ?1 and generation = ?2 and todo_id = id and seq >= ?3)
       from ids where id is not null
     )
     select todo_past.data as data from known join todo_past
       on goal_id = ?1 and generation = ?2 and todo_id = id and seq = at
     union all
     select data from todos where goal_id = ?1 and todo_id not in (select id from known where at is not null)`,
    goal_id,
    generation,
    seq,
  );
  const todos = rows.filter(isThere).map(todoOf);
  return new Map(todos.toSorted((a, b) => (a.todo_id < b.todo_id ? -1 : 1)).map((todo) => [todo.todo_id, todo]));
}

function isThere(row: Row): boolean {
  return row["data"] !== null;
}
