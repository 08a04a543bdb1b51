/**
 * Questions whose time is up, and the answer they said they would then have.
 *
 * X1  Only a question that says both when and what is answered by default; any other waits for its person for ever.
 */
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { GateCommand } from "./gate.ts";
import { expiresAtOf, kindOf } from "./todo-traits.ts";

/** (X1) Null: not yet, or never. */
export function defaultAnswer(todo: TodoRecord, now: Instant): GateCommand | null {
  const { default_outcome: outcome } = todo.metadata;
  if (kindOf(todo) !== "gate" || todo.status !== "open" || todo.archived) return null;
  if (outcome !== "approve" && outcome !== "reject") return null;
  const expires = expiresAtOf(todo);
  if (expires === null || expires > now) return null;
  return { kind: "decide-gate", todo_id: todo.todo_id, outcome, reason: "its time was up", by: "default", until: null };
}
