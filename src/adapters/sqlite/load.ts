/** Loads what a command asked for of one goal. */
import type { TodoRecord } from "../../core/events.ts";
import { type GoalHead, leasedTo } from "../../core/goal/head.ts";
import { STATUS_ORDER, type TodoPage, type TodoPageQuery } from "../../core/goal/todo-page.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { Journal, LoadedGoal, LoadRequest, PlanBase, Receipt } from "../../ports/store.ts";
import type { Row } from "./engine.ts";
import type { loadFrontier } from "./frontier.ts";
import { baseOf, headOf, numberOf, receiptOf, textOf, todoOf } from "./rows.ts";
import { loadSpend } from "./spend.ts";
import type { Sql } from "./sql.ts";

/** What a decision rests on: its code is loaded where one is asked for. */
export interface Decisions {
  readonly loadFrontier: typeof loadFrontier;
}

/** `decisions` are needed where a frontier is asked for. */
export function loadGoal(sql: Sql, request: LoadRequest, decisions: Decisions | null): LoadedGoal {
  const row = sql.row("select head from goals where goal_id = ?", request.goal_id);
  const head = row === undefined ? null : headOf(row);
  const { goal_id, frontier, spend } = request;
  return {
    goal_id,
    head,
    todos: loadTodos(sql, request, head),
    base: loadBase(sql, request),
    receipt: loadReceipt(sql, request),
    frontier:
      frontier === undefined || decisions === null ? null : decisions.loadFrontier(sql, goal_id, { query: frontier, head }),
    spend: spend === undefined ? null : loadSpend(sql, goal_id, spend),
  };
}

/** By id, code point order. */
function loadTodos(sql: Sql, request: LoadRequest, head: GoalHead | null): ReadonlyMap<TodoId, TodoRecord> {
  const { goal_id, todos, same_text } = request;
  const leased = request.frontier === undefined ? [] : leasedTo(head, request.frontier.agent);
  if (todos === "all") return byId(sql.rows("select data from todos where goal_id = ? order by todo_id", goal_id));
  const named = [...(todos === "none" ? [] : todos), ...leased, ...(same_text === undefined ? [] : withText(sql, request))];
  const { needs_of = [] } = request;
  if (named.length + needs_of.length === 0) return new Map();
  const values = [JSON.stringify(named), goal_id, goal_id, goal_id];
  return byId(
    needs_of.length === 0
      ? sql.rows(`${NAMED} ${LINKED}) order by todo_id`, ...values)
      : sql.rows(`${NAMED}, ${NEEDS} ${LINKED} union select id from needs) order by todo_id`, ...needsFirst(request, values)),
  );
}

function byId(rows: readonly Row[]): ReadonlyMap<TodoId, TodoRecord> {
  return new Map(rows.map(todoOf).map((todo) => [todo.todo_id, todo]));
}

function withText(sql: Sql, { goal_id, same_text }: LoadRequest): readonly TodoId[] {
  const rows = sql.rows(
    `select todo_id from todos where goal_id = ? and role = ? and status = 'open' and archived = 0
     and json_extract(data, '$.text') = ?`,
    goal_id,
    same_text?.role ?? null,
    same_text?.text ?? null,
  );
  return rows.map((row) => textOf(row, "todo_id") as TodoId);
}

function needsFirst({ goal_id, needs_of }: LoadRequest, [named = "", ...rest]: readonly string[]): readonly string[] {
  return [named, JSON.stringify(needs_of), goal_id, ...rest];
}

const NAMED = "with recursive named as (select value as id from json_each(?))";

/** However far they go; what a gate covers waits for it, but that is no need of its own. */
const NEEDS = `needs as (
    select value as id from json_each(?)
    union select needs_id from needs join todo_links on goal_id = ? and todo_id = id and made_by = todo_id
  )`;

/** The todos that are named, those they wait for and those that wait for them. */
const LINKED = `
  select data from todos where goal_id = ? and todo_id in (
    select id from named
    union select needs_id from todo_links where goal_id = ? and todo_id in (select id from named)
    union select todo_id from todo_links where goal_id = ? and needs_id in (select id from named)`;

function loadBase(sql: Sql, { goal_id, base }: LoadRequest): PlanBase | null {
  if (base === "none") return null;
  const large = base === "text" ? "text, ids" : "'' as text, '[]' as ids";
  const row = sql.row(`select ${large}, fingerprint, accepted_at, rendered_seq, sighting from bases where goal_id = ?`, goal_id);
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

const RANK_OF_STATUS = `case status ${STATUS_ORDER.map((status, rank) => `when '${status}' then ${rank}`).join(" ")} end`;

export function selectPage(sql: Sql, goalId: GoalId, query: TodoPageQuery): TodoPage {
  const { statuses, role, archived, skip, limit } = query;
  const fits = `goal_id = ? and archived = ? and (? is null or role = ?) and (? = '[]' or status in (select value from json_each(?)))`;
  const wanted = JSON.stringify(statuses);
  const values = [goalId, archived ? 1 : 0, role, role, wanted, wanted];
  const count = sql.row(`select count(*) as count from todos where ${fits}`, ...values);
  const rows = sql.rows(
    `select data from todos where ${fits} order by ${RANK_OF_STATUS}, priority_rank, idx, todo_id limit ? offset ?`,
    ...values,
    limit,
    skip,
  );
  return { todos: rows.map(todoOf), count: count === undefined ? 0 : numberOf(count, "count") };
}
