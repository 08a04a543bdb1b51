/**
 * What a todo says when it ends, and why it may not end so.
 *
 * Does not own: that work says what comes next (`todo.ts`), finishing a turn with it (`finish.ts`), acceptance checks
 * (`commands/end-checked.ts`).
 *
 * E5  What a question holds up by name is not closed as done before that is answered.
 */
import { loopxCommand } from "../command-line.ts";
import type { CloseOutcome, Continuation, TodoRecord } from "../events.ts";
import { type Refusal, refuse } from "../result.ts";
import type { Todos } from "./head.ts";
import { kindOf } from "./todo-traits.ts";
import { type MetadataPatch, patched } from "./todo-words.ts";

export interface TodoEnd {
  readonly outcome: Exclude<CloseOutcome, "rejected">;
  readonly patch: MetadataPatch;
  readonly next: Continuation;
}

/** (E5) Null: it may end so, as far as this file knows. `todos` holds what it waits for. */
export function endFlaw(todos: Todos, todo: TodoRecord, { outcome }: Pick<TodoEnd, "outcome">): Refusal | null {
  if (outcome !== "done" || todo.status === "done") return null;
  const { todo_id, waits_for = [] } = todo;
  const gate = waits_for.map((id) => todos.get(id)).find((other) => other !== undefined && kindOf(other) === "gate");
  if (gate === undefined) return null;
  return refuse("gate_open", `${todo_id} waits for an answer to ${gate.todo_id}.`, {
    details: { todo_id, by: gate.todo_id },
    fix: loopxCommand("gate", "approve", gate.todo_id),
  });
}

/** How it stands on the closed todo. */
export function continuationMetadata(next: Continuation): TodoRecord["metadata"] {
  switch (next.kind) {
    case "successors":
      return { successor_todo_ids: next.todo_ids.join(","), completion_continuation: "successor" };
    case "none":
      return { no_followup: "true", reason: next.reason, completion_continuation: "no_followup" };
    case "open":
      return {};
  }
}

export function closedMetadata(
  todo: TodoRecord,
  { outcome, patch, next }: TodoEnd,
  completed_at: string,
): TodoRecord["metadata"] {
  const metadata = patched(todo.metadata, patch);
  if (outcome === "done" || kindOf(todo) === "gate") {
    const ended = outcome === "done" ? {} : { outcome };
    return { ...metadata, ...ended, ...continuationMetadata(next), completed_at };
  }
  const by = next.kind === "successors" ? { superseded_by: next.todo_ids[0] ?? "" } : continuationMetadata(next);
  return { ...metadata, outcome, ...by, completed_at };
}
