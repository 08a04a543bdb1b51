/**
 * Todos that leave their place: into the archive section, or out of the file.
 *
 * A1  A todo is moved with all its lines, changed only where asked.
 * A2  It keeps its id: one that had none of its own gets it written down, because a generated id depends on the place.
 * A3  In an archive the task class alone tells the role, so a user todo without one of the user's classes becomes a
 *     `user_action`. A class that contradicts the section is not touched.
 * A4  An id is never handed to a copy: a todo whose id stands on another one as well does not leave before that is settled.
 */

import type { TodoId } from "../id.ts";
import { done, refuse } from "../result.ts";
import { applyEdits, contentEnd, type Edit, lineRemovals } from "./edit.ts";
import { insertLines } from "./insert.ts";
import type { Plan, PlanTodo } from "./plan.ts";
import { type Edits, editTodo, type Source, type TodoChange } from "./splice.ts";
import { roleOfClass } from "./todos.ts";

export interface ArchiveMove {
  readonly todo: PlanTodo;
  /** The id that the todo is known by. */
  readonly todo_id: TodoId;
  readonly change: TodoChange;
}

export interface Leaving {
  readonly archive: readonly ArchiveMove[];
  readonly remove: readonly PlanTodo[];
}

/**
 * Moves todos to the end of the archive section, which is created when there is none, and takes others out of the file
 * with all lines that belong to them. Both at once, because neighbours share a line ending. Archived todos are only changed.
 */
export function takeOutTodos(source: Source, { archive, remove }: Leaving): Edits {
  const { text, plan } = source;
  const heir = heirOf(plan, [...archive.map(({ todo }) => todo), ...remove]);
  if (heir !== null)
    return refuse(
      "duplicate_todo_ids",
      `The todo of line ${heir.line} has the same id and would take it over; give it its own first`,
    ); // (A4)
  const edits: Edit[] = [];
  const lines: string[] = [];
  const leaving = remove.map((todo) => todo.block);
  for (const move of archive) {
    const changed = editTodo(source, move.todo, withIdentity(move));
    if (changed.kind !== "done") return changed;
    if (move.todo.archived) edits.push(...changed.value);
    else {
      lines.push(blockAfter(text, move.todo, changed.value));
      leaving.push(move.todo.block);
    }
  }
  return done([...edits, ...lineRemovals(leaving), ...insertLines(text, plan, { role: "archive", lines })]);
}

/** A todo that stays, and repeats the id of one that leaves. */
function heirOf(plan: Plan, leaving: readonly PlanTodo[]): PlanTodo | null {
  const places = new Set(leaving.map((todo) => todo.block.start));
  const ids = new Set(leaving.flatMap((todo) => (todo.id_source === "metadata" ? [todo.todo_id] : [])));
  const repeats = ({ declared_id, block }: PlanTodo): boolean =>
    declared_id !== null && ids.has(declared_id) && !places.has(block.start);
  return plan.todos.find(repeats) ?? null;
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
