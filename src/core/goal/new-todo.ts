/** A todo that a command adds, as it will stand in the state file. */
import type { TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { TodoRole, TodoStatus } from "../plan/plan.ts";
import { priorityOf, withPriority } from "../plan/priority.ts";
import { CANONICAL_TITLE } from "../plan/section-role.ts";
import { collapse } from "../plan/white-space.ts";
import type { GoalHead } from "./head.ts";

export interface NewTodoWords {
  readonly todo_id: TodoId;
  readonly role: TodoRole;
  readonly text: string;
  /** Null: that of the text's `[Pn]`, or none. */
  readonly priority: number | null;
  readonly status: Exclude<TodoStatus, "done">;
  readonly metadata: TodoRecord["metadata"];
}

/** It stands behind all that are there. */
export function newTodo(
  { todo_id, role, text, priority, status, metadata }: NewTodoWords,
  head: GoalHead,
  offset = 0,
): TodoRecord {
  const whole = collapse(priority === null ? text : withPriority(text, priority));
  const { open, blocked, deferred, done } = head.todo_counts;
  return {
    todo_id,
    id_source: "metadata",
    role,
    text: whole,
    status,
    priority: priorityOf(whole),
    task_class: metadata["task_class"] ?? null,
    section: CANONICAL_TITLE[role],
    index: open + blocked + deferred + done + 1 + offset,
    archived: false,
    metadata,
  };
}
