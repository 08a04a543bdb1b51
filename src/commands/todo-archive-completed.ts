/**
 * `todo archive-completed`: the oldest closed todos move to the archive section, so that the list stays short.
 *
 * V1  The newest stay; a gate whose answer holds for more than one todo (`goal`, `project`, `global`) stays as well: it is still
 *     looked up.
 * V2  In the archive the class alone tells whose todo it was: a person's gets one before it moves.
 */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import { NO_FENCE } from "../core/goal/fence.ts";
import { kindOf } from "../core/goal/todo-traits.ts";
import type { TodoId } from "../core/id.ts";
import { CANONICAL_TITLE } from "../core/plan/section-role.ts";
import { roleOfClass } from "../core/plan/todos.ts";
import { done, type Problem, type Reply } from "../core/result.ts";
import { compareText } from "../core/show/rank.ts";
import type { TodoArchiveRequest } from "./app-todos.ts";
import { askingOn } from "./todo-asking.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { writeTodos } from "./write-todos.ts";

const MOST_ACTIVE_DONE = 12;

export interface TodoArchiveAnswer {
  readonly ok: true;
  readonly goal_id: string;
  readonly changed: boolean;
  readonly dry_run: boolean;
  /** That moved, or would. */
  readonly moved_count: number;
  readonly moved: readonly TodoId[];
  /** That stay where they are, closed. */
  readonly active_done: number;
  readonly max_active_done: number;
  readonly warnings: readonly Problem[];
}

/** Ids that are named in the answer; `moved_count` counts all. */
const NAMED = 50;

export async function todoArchiveCompleted(
  workspace: WritingWorkspace,
  request: TodoArchiveRequest,
): Promise<Reply<TodoArchiveAnswer>> {
  const asking = await askingOn(workspace, { ...request, agentId: null, turnInstanceId: null });
  if (asking.kind !== "done") return asking;
  const most = request.maxActiveDone ?? MOST_ACTIVE_DONE;
  const found: { moving: readonly TodoRecord[]; done: number } = { moving: [], done: 0 };
  const written = await writeTodos(
    workspace,
    { ...asking.value, agent: null },
    {
      todos: "all",
      step: ({ todos }) => {
        const closed = [...todos.values()].filter((todo) => todo.status === "done" && !todo.archived);
        const movable = closed.filter((todo) => !isStanding(todo)).sort(oldestFirst);
        found.done = closed.length;
        found.moving = movable.slice(0, Math.max(0, closed.length - most)); // (V1)
        return found.moving.map(moved);
      },
    },
  );
  if (written.kind !== "done") return written;
  const moved_count = found.moving.length;
  return done({
    ok: true,
    goal_id: asking.value.registered.goal.goal_id,
    changed: !request.dryRun && moved_count > 0,
    dry_run: request.dryRun,
    moved_count,
    moved: found.moving.slice(0, NAMED).map(({ todo_id }) => todo_id),
    active_done: found.done - moved_count,
    max_active_done: most,
    warnings: written.value.warnings,
  });
}

const WIDE = new Set(["goal", "project", "global"]);

/** (V1) */
function isStanding(todo: TodoRecord): boolean {
  const { decision_scope = "", unblocks_todo_id = "" } = todo.metadata;
  return kindOf(todo) === "gate" && unblocks_todo_id === "" && WIDE.has(decision_scope.split(":")[1] ?? "");
}

function oldestFirst(a: TodoRecord, b: TodoRecord): number {
  return compareText(a.metadata["completed_at"] ?? "", b.metadata["completed_at"] ?? "") || a.index - b.index;
}

function moved(todo: TodoRecord): GoalCommand {
  const needsClass = todo.role === "user" && roleOfClass(todo.task_class) !== "user"; // (V2)
  const classed = needsClass ? { task_class: "user_action", metadata: { ...todo.metadata, task_class: "user_action" } } : {};
  const fields = { archived: true, section: CANONICAL_TITLE.archive, ...classed };
  return { kind: "change-todo", todo_id: todo.todo_id, fields, fence: NO_FENCE };
}
