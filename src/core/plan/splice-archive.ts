/**
 * Moving todos into the archive section.
 *
 * A1  A todo is moved with all its lines, changed only where asked.
 * A2  It keeps its id: one that had none of its own gets it written down, because a generated id depends on the place.
 * A3  In an archive the task class alone tells the role, so a user todo without one of the user's classes becomes a
 *     `user_action`. A class that contradicts the section is not touched.
 */

import type { TodoId } from "../id.ts";
import { done } from "../result.ts";
import { applyEdits, contentEnd, type Edit, lineRemovals } from "./edit.ts";
import { insertLines } from "./insert.ts";
import type { PlanTodo } from "./plan.ts";
import { type Edits, editTodo, type Source, type TodoChange } from "./splice.ts";
import { roleOfClass } from "./todos.ts";

export interface ArchiveMove {
  readonly todo: PlanTodo;
  /** The id that the todo is known by. */
  readonly todo_id: TodoId;
  readonly change: TodoChange;
}

/** Moves todos to the end of the archive section, which is created when there is none. Archived todos are only changed. */
export function archiveTodos(source: Source, moves: readonly ArchiveMove[]): Edits {
  const { text, plan } = source;
  const edits: Edit[] = [];
  const lines: string[] = [];
  const moving = moves.filter(({ todo }) => !todo.archived);
  for (const move of moves) {
    const changed = editTodo(source, move.todo, withIdentity(move));
    if (changed.kind !== "done") return changed;
    if (move.todo.archived) edits.push(...changed.value);
    else lines.push(blockAfter(text, move.todo, changed.value));
  }
  const removals = lineRemovals(
    text,
    moving.map(({ todo }) => todo.block),
  );
  return done([...edits, ...removals, ...insertLines(text, plan, { role: "archive", lines })]);
}

/** (A2, A3) */
function withIdentity({ todo, todo_id, change }: ArchiveMove): TodoChange {
  const isNamed = todo.declared_id === todo_id;
  const isClassed = todo.role === "agent" || todo.archived || roleOfClass(todo.task_class) === "user";
  const identity = { ...(isNamed ? {} : { todo_id }), ...(isClassed ? {} : { task_class: "user_action" }) };
  return { ...change, metadata: { ...identity, ...change.metadata } };
}

/** (A1) The block's text after the edits, without the line ending of its last line. */
function blockAfter(text: string, { block }: PlanTodo, edits: readonly Edit[]): string {
  const shifted = edits.map((edit) => ({
    ...edit,
    span: { start: edit.span.start - block.start, end: edit.span.end - block.start },
  }));
  const moved = applyEdits(text.slice(block.start, block.end), shifted);
  return moved.slice(0, contentEnd(moved, { start: 0, end: moved.length }));
}
