/** Loads what a command asked for of one goal. */
import type { TodoRecord } from "../../core/events.ts";
import type { TodoId } from "../../core/id.ts";
import type { Journal, LoadedGoal, LoadRequest, PlanBase, Receipt } from "../../ports/store.ts";
import { baseOf, headOf, receiptOf, todoOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function loadGoal(sql: Sql, request: LoadRequest): LoadedGoal {
  const head = sql.row("select head from goals where goal_id = ?", request.goal_id);
  return {
    goal_id: request.goal_id,
    head: head === undefined ? null : headOf(head),
    todos: loadTodos(sql, request),
    base: loadBase(sql, request),
    receipt: loadReceipt(sql, request),
  };
}

/** By id, code point order. */
function loadTodos(sql: Sql, { goal_id, todos }: LoadRequest): ReadonlyMap<TodoId, TodoRecord> {
  if (todos === "none") return new Map();
  const rows =
    todos === "all"
      ? sql.rows("select data from todos where goal_id = ? order by todo_id", goal_id)
      : sql.rows(
          "select data from todos where goal_id = ? and todo_id in (select value from json_each(?)) order by todo_id",
          goal_id,
          JSON.stringify(todos),
        );
  return new Map(rows.map(todoOf).map((todo) => [todo.todo_id, todo]));
}

function loadBase(sql: Sql, { goal_id, base }: LoadRequest): PlanBase | null {
  if (base === "none") return null;
  const row = sql.row("select text, ids, fingerprint, accepted_at, rendered_seq, sighting from bases where goal_id = ?", goal_id);
  return row === undefined ? null : baseOf(row);
}

function loadReceipt(sql: Sql, { goal_id, receipt }: LoadRequest): Receipt | null {
  if (receipt === undefined) return null;
  const row = sql.row(
    "select goal_id, key, fingerprint, generation, seq, at from receipts where goal_id = ? and key = ?",
    goal_id,
    receipt,
  );
  return row === undefined ? null : receiptOf(row);
}

type Ready = Parameters<Journal["readyTodos"]>;
type Claimed = Parameters<Journal["claimedTodos"]>;

export function selectReady(sql: Sql, goalId: Ready[0], { role, limit }: Ready[1]): readonly TodoRecord[] {
  return sql
    .rows(
      `select data from todos where goal_id = ? and role = ? and status = 'open' and archived = 0
       order by priority_rank, idx, todo_id limit ?`,
      goalId,
      role,
      limit,
    )
    .map(todoOf);
}

export function selectClaimed(sql: Sql, goalId: Claimed[0], { except, limit }: Claimed[1]): readonly TodoRecord[] {
  return sql
    .rows(
      `select data from todos
       where goal_id = ? and status = 'open' and archived = 0 and claimed_by is not null
         and claimed_by not in (select value from json_each(?))
       order by priority_rank, idx, todo_id limit ?`,
      goalId,
      JSON.stringify(except),
      limit,
    )
    .map(todoOf);
}
