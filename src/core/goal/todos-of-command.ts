/**
 * Which todos have to be loaded for a command to be judged and folded.
 *
 * Does not own: how they are loaded; a store adds what waits for these and what they wait for.
 *
 * C1  What is not loaded stays as it was known. So everything that a command changes, and everything that it links anew, is
 *     named here, whether or not it is there yet.
 */
import type { TodoFields } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { GoalCommand } from "./command.ts";
import { linksOfTodo } from "./todo-links.ts";
import { needsOf } from "./todo-traits.ts";

export interface TodosOfCommand {
  readonly todos: "all" | readonly TodoId[];
  /** A circle of dependencies is looked for among what these need, however far that goes. */
  readonly needs_of: readonly TodoId[];
}

/** (C1) */
export function todosOfCommand(command: GoalCommand): TodosOfCommand {
  switch (command.kind) {
    case "accept-plan":
      return { todos: "all", needs_of: [] };
    case "decide-gate": // What a rejection closes, and what waits for that, is known only of all.
      return command.outcome === "reject" ? { todos: "all", needs_of: [] } : named(command.todo_id);
    case "add-todo":
      return linking(command.todo.todo_id, command.todo);
    case "change-todo":
      return isOtherKind(command.fields) ? { todos: "all", needs_of: [] } : linking(command.todo_id, command.fields);
    default:
      return named(...idsIn(command));
  }
}

/** What names todos by then covers them. */
function isOtherKind(fields: TodoFields): boolean {
  return fields.task_class !== undefined || fields.role !== undefined;
}

function named(...todos: readonly TodoId[]): TodosOfCommand {
  return { todos, needs_of: [] };
}

function linking(todo_id: TodoId, { metadata }: Pick<TodoFields, "metadata">): TodosOfCommand {
  if (metadata === undefined) return named(todo_id);
  const asGate = { role: "user", task_class: "user_gate", metadata, todo_id } as const;
  const linked = linksOfTodo(asGate).flatMap((link) => [link.todo_id, link.needs_id]);
  return { todos: [...new Set([todo_id, ...linked])], needs_of: needsOf({ metadata }) };
}

function idsIn(command: GoalCommand): readonly TodoId[] {
  if ("todo_id" in command) return command.todo_id === null ? [] : [command.todo_id];
  if (command.kind === "take-lease") return [command.lease.todo_id];
  if (command.kind === "write-turn") return command.turn.todo_id === null ? [] : [command.turn.todo_id];
  return [];
}
