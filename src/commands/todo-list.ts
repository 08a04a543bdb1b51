/** `todo list`: a read. */
import type { TodoRecord } from "../core/events.ts";
import { type TodoPage, todoPageOf } from "../core/goal/todo-page.ts";
import { parseTodoId, type TodoId } from "../core/id.ts";
import type { TodoStatus } from "../core/plan/plan.ts";
import { done, type Reply } from "../core/result.ts";
import { parseCursor, parseExtent } from "../core/show/paging.ts";
import { buildTodoList, TODO_ROWS, type TodoListPayload } from "../core/show/todo-list.ts";
import type { TodoListRequest } from "./app-todos.ts";
import { badTodoId } from "./goal-of-todo.ts";
import { readTodos, type TodoReading } from "./read-todos.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export async function todoList(workspace: Workspace, request: TodoListRequest): Promise<Reply<TodoListPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const part = partOf(request);
  if (part.kind !== "done") return part;
  const { id, seen, limit } = part.value;
  const reading = await readTodos(workspace, rows.value, { registered: registered.value, todos: id === null ? "none" : [id] });
  const { todos, count } = await pageFor(reading, { request, id, skip: seen, limit });
  return done(
    buildTodoList({
      goal_id: registered.value.goal.goal_id,
      todos,
      todo_count: count,
      seen,
      asked: askedAgain(request),
      problems: reading.problems,
    }),
  );
}

interface Part {
  readonly id: TodoId | null;
  readonly seen: number;
  readonly limit: number;
}

function partOf({ todoId, limit, cursor }: TodoListRequest): Reply<Part> {
  const id = todoId === null ? null : parseTodoId(todoId);
  if (todoId !== null && id === null) return badTodoId(todoId);
  const extent = parseExtent(limit === null ? {} : { limit: String(limit) });
  if (extent.kind !== "done") return extent;
  const from = cursor === null ? done(null) : parseCursor(cursor, ["todos"]);
  if (from.kind !== "done") return from;
  const rows = extent.value.kind === "limit" ? extent.value.rows : TODO_ROWS;
  return done({ id, seen: from.value?.seen ?? 0, limit: rows });
}

interface Paging {
  readonly request: TodoListRequest;
  readonly id: TodoId | null;
  readonly skip: number;
  readonly limit: number;
}

async function pageFor({ todos, page }: TodoReading, { request, id, skip, limit }: Paging): Promise<TodoPage> {
  const { role, status } = request;
  const archived = status === "archived";
  const statuses: readonly TodoStatus[] = status === null || archived ? [] : [status as TodoStatus];
  const query = { statuses, role, archived, skip, limit };
  if (id === null) return await page(query);
  const named: readonly TodoRecord[] = [...todos.values()].filter((todo) => todo.todo_id === id);
  return todoPageOf(named, status === null ? { ...query, archived: named[0]?.archived === true } : query);
}

function askedAgain({ role, status, limit }: TodoListRequest): readonly string[] {
  return [
    ...(role === null ? [] : ["--role", role]),
    ...(status === null ? [] : ["--status", status]),
    ...(limit === null ? [] : ["--limit", String(limit)]),
  ];
}
