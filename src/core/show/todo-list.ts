/**
 * The payload of `todo list`.
 *
 * L1  A page is at most 8 KiB, however many rows were asked for; what stands beyond it is counted in `left_out`, with the command that
 *     shows it.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import type { Problem } from "../result.ts";
import { type Cutter, cutter } from "./cutter.ts";
import { printCursor } from "./paging.ts";
import { entryBytes, printedBytes } from "./print-json.ts";
import { type ShownTodo, shownTodo, TODO_BYTES } from "./todo.ts";

/** Rows that a command reads for a page without `--limit`. */
export const TODO_ROWS = 50;
const ROW_BYTES = 1024;

export interface TodoListInput {
  readonly goal_id: string;
  readonly todos: readonly TodoRecord[];
  readonly todo_count: number;
  /** On the pages before. */
  readonly seen: number;
  /** What was asked for, to be asked again. */
  readonly asked: readonly string[];
  readonly problems: readonly Problem[];
}

export interface TodoListPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todos: readonly ShownTodo[];
  readonly todo_count: number;
  readonly left_out: {
    readonly todos: number;
    readonly texts: number;
    readonly cursor: string | null;
    readonly get: readonly string[];
  };
  readonly problems: readonly Problem[];
}

interface Row {
  readonly shown: ShownTodo;
  readonly texts: number;
}

export function buildTodoList(input: TodoListInput): TodoListPayload {
  const rows = input.todos.map(fitRow);
  let room = TODO_BYTES - printedBytes(assemble(input, [])) - commandBytes(input);
  const over = rows.findIndex(({ shown }) => {
    room -= entryBytes(shown);
    return room < 0;
  });
  return assemble(input, over < 0 ? rows : rows.slice(0, Math.max(1, over))); // (L1)
}

/** Of the two commands in `left_out` and the cursor. */
function commandBytes({ goal_id, asked }: TodoListInput): number {
  return 300 + 2 * printedBytes(loopxCommand("--goal-id", goal_id, ...asked));
}

const LIMITS = [Number.POSITIVE_INFINITY, 400, 160, 60] as const;

function fitRow(todo: TodoRecord): Row {
  const rowWith = (cut: Cutter): Row => ({ shown: shownTodo(todo, cut), texts: cut.count() });
  for (const limit of LIMITS) {
    const row = rowWith(cutter(limit));
    if (entryBytes(row.shown) <= ROW_BYTES) return row;
  }
  return rowWith(cutter(24));
}

function assemble(input: TodoListInput, rows: readonly Row[]): TodoListPayload {
  const { goal_id, todo_count, asked, problems } = input;
  const seen = input.seen + rows.length;
  const todos = Math.max(0, todo_count - seen);
  const texts = rows.reduce((sum, row) => sum + row.texts, 0);
  const cursor = todos === 0 || rows.length === 0 ? null : printCursor({ list: "todos", seen, after: "" });
  const [cut] = rows.filter((row) => row.texts > 0);
  const get = [
    ...(cursor === null ? [] : [loopxCommand("todo", "list", "--goal-id", goal_id, ...asked, "--cursor", cursor)]),
    ...(cut === undefined ? [] : [loopxCommand("todo", "show", "--goal-id", goal_id, "--todo-id", cut.shown.todo_id)]),
  ];
  return {
    ok: true,
    goal_id,
    todos: rows.map(({ shown }) => shown),
    todo_count,
    left_out: { todos, texts, cursor, get },
    problems,
  };
}
