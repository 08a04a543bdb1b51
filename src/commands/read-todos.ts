/**
 * A goal's todos as they stand: from the store where its files are the accepted ones, else with what people changed folded in.
 *
 * R1  A read stores nothing, and answers what it would answer right after a write had taken the files in.
 */
import type { GoalHead, Todos } from "../core/goal/head.ts";
import { type TodoPage, type TodoPageQuery, todoPageOf } from "../core/goal/todo-page.ts";
import type { TodoId } from "../core/id.ts";
import type { Problem } from "../core/result.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { unchangedState } from "./unchanged-state.ts";
import type { Workspace } from "./workspace.ts";

export interface TodoReading {
  readonly head: GoalHead | null;
  /** Those that were asked for, with their links. */
  readonly todos: Todos;
  /** Null: the store has everything. */
  readonly folded: { readonly todos: Todos } | null;
  readonly problems: readonly Problem[];
  readonly page: (query: TodoPageQuery) => Promise<TodoPage>;
}

export async function readTodos(
  workspace: Workspace,
  rows: RegistryRows,
  { registered, todos }: { readonly registered: RegisteredGoal; readonly todos: "none" | readonly TodoId[] },
): Promise<TodoReading> {
  const { goal_id } = registered.goal;
  const subject = { goal_id, registered };
  const loaded = await workspace.store.load({ goal_id, todos, base: "facts" });
  const same = loaded.head !== null && (await unchangedState(workspace, subject, loaded)) !== null;
  if (same) {
    return {
      head: loaded.head,
      todos: loaded.todos,
      folded: null,
      problems: [],
      page: async (query) => await workspace.store.todoPage(goal_id, query),
    };
  }
  return await foldedTodos(workspace, rows, registered);
}

/** (R1) */
async function foldedTodos(workspace: Workspace, rows: RegistryRows, registered: RegisteredGoal): Promise<TodoReading> {
  const { foldFiles, stateOf } = await import("./read-plan.ts");
  const { goal_id } = registered.goal;
  const subject = { goal_id, registered };
  const state = stateOf(workspace, rows, subject);
  const fold = await foldFiles(workspace, rows, { subject, state, now: workspace.clock.now() });
  const todos = fold.todos ?? (await workspace.store.load({ goal_id, todos: "all", base: "none" })).todos;
  const problems = [...(fold.problem === null ? [] : [fold.problem]), ...(state.kind === "unreadable" ? [state.problem] : [])];
  return { head: fold.head, todos, folded: { todos }, problems, page: async (query) => todoPageOf(todos.values(), query) };
}
