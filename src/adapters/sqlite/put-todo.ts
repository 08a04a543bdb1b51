/**
 * Stores a todo so that no more of the store is written than what is said of it differently.
 *
 * Q1  An index whose columns stay as they were is not touched: a claim moves the todo in those of owners alone.
 */
import type { TodoRecord } from "../../core/events.ts";
import { linksOfTodo } from "../../core/goal/todo-links.ts";
import type { GoalId } from "../../core/id.ts";
import { columnsOf } from "../../core/next/frontier.ts";
import type { SqlValue } from "./engine.ts";
import { textOf } from "./rows.ts";
import { type Sql, withoutNul } from "./sql.ts";

const NO_PRIORITY = 9;
/** What orders and finds a todo, but for whose it is. */
const PLACING = ["role", "archived", "status", "priority_rank", "idx", "kind", "waits", "due_at", "wakes", "gap"] as const;
const OWNING = ["claimed_by", "owner"] as const;
const KEY = "goal_id = ? and todo_id = ?";

type Columns = Readonly<Record<(typeof PLACING)[number] | (typeof OWNING)[number], SqlValue>>;

export function putTodo(sql: Sql, goalId: GoalId, todo: TodoRecord): void {
  const columns = columnsFor(todo);
  const before = sql.row(`select ${[...PLACING, ...OWNING].join(", ")} from todos where ${KEY}`, goalId, todo.todo_id);
  const differ = (names: readonly (keyof Columns)[]): boolean => names.some((name) => before?.[name] !== columns[name]);
  if (before === undefined) insert(sql, goalId, { todo, columns });
  else update(sql, goalId, { todo, columns, names: [...(differ(PLACING) ? PLACING : []), ...(differ(OWNING) ? OWNING : [])] }); // (Q1)
  putLinks(sql, goalId, todo);
}

function columnsFor(todo: TodoRecord): Columns {
  const { kind, waits, due_at, wakes, gap, owner } = columnsOf(todo);
  return {
    role: todo.role,
    archived: todo.archived ? 1 : 0,
    status: todo.status,
    priority_rank: todo.priority ?? NO_PRIORITY,
    idx: todo.index,
    claimed_by: withoutNul(todo.metadata["claimed_by"] ?? "") || null,
    kind,
    waits: waits ? 1 : due_at === null ? 0 : 2,
    due_at,
    wakes: wakes ? 1 : 0,
    gap: gap ? 1 : 0,
    owner,
  };
}

interface Putting {
  readonly todo: TodoRecord;
  readonly columns: Columns;
}

function insert(sql: Sql, goalId: GoalId, { todo, columns }: Putting): void {
  const names = [...PLACING, ...OWNING];
  sql.run(
    `insert into todos (goal_id, todo_id, data, ${names.join(", ")}) values (?, ?, ?, ${names.map(() => "?").join(", ")})`,
    goalId,
    todo.todo_id,
    JSON.stringify(todo),
    ...names.map((name) => columns[name]),
  );
}

function update(
  sql: Sql,
  goalId: GoalId,
  { todo, columns, names }: Putting & { readonly names: readonly (keyof Columns)[] },
): void {
  sql.run(
    `update todos set data = ?${names.map((name) => `, ${name} = ?`).join("")} where ${KEY}`,
    JSON.stringify(todo),
    ...names.map((name) => columns[name]),
    goalId,
    todo.todo_id,
  );
}

function putLinks(sql: Sql, goalId: GoalId, todo: TodoRecord): void {
  const before = sql.rows("select todo_id, needs_id from todo_links where goal_id = ? and made_by = ?", goalId, todo.todo_id);
  const wanted = linksOfTodo(todo);
  if (textsOf(before.map((row) => ({ todo_id: textOf(row, "todo_id"), needs_id: textOf(row, "needs_id") }))) === textsOf(wanted))
    return;
  sql.run("delete from todo_links where goal_id = ? and made_by = ?", goalId, todo.todo_id);
  for (const { todo_id, needs_id } of wanted) {
    sql.run("insert or ignore into todo_links values (?, ?, ?, ?)", goalId, todo.todo_id, todo_id, needs_id);
  }
}

/** Equal when the links are. */
function textsOf(links: readonly { readonly todo_id: string; readonly needs_id: string }[]): string {
  return [...new Set(links.map(({ todo_id, needs_id }) => `${todo_id} ${needs_id}`))].sort().join("\n");
}
