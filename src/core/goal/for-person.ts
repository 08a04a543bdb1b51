/**
 * What agents may not do with a question to a person.
 *
 * Does not own: how it is answered (`gate.ts`).
 *
 * N1  An agent neither answers nor ends a question, and moves nothing that says whom it holds up, or what becomes of it.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoFields, TodoRecord } from "../events.ts";
import type { AgentId, GoalId } from "../id.ts";
import { type Refusal, refuse } from "../result.ts";
import type { GoalCommand } from "./command.ts";
import type { Todos } from "./head.ts";
import { kindOf } from "./todo-traits.ts";

/** Keys that say whom a question holds up, and what becomes of it. */
const DECIDING = [
  "task_class",
  "unblocks_todo_id",
  "blocks_agent",
  "decision_scope",
  "global_gate",
  "on_reject",
  "expires_at",
  "default_outcome",
  "remind_at",
] as const;

/** (N1) Null: none of the commands does. */
export function forPersonFlaw(
  asked: { readonly goal_id: GoalId; readonly agent: AgentId },
  { todos, commands }: { readonly todos: Todos; readonly commands: readonly GoalCommand[] },
): Refusal | null {
  for (const command of commands) {
    if (command.kind !== "close-todo" && command.kind !== "decide-gate" && command.kind !== "change-todo") continue;
    const gate = todos.get(command.todo_id);
    if (gate === undefined || kindOf(gate) !== "gate") continue;
    if (command.kind !== "change-todo" || decides(gate, command.fields)) return forPerson(asked, gate);
  }
  return null;
}

export function forPerson(
  { goal_id, agent }: { readonly goal_id: GoalId; readonly agent: AgentId },
  { todo_id }: TodoRecord,
): Refusal {
  return refuse("gate_for_person", `${todo_id} is a question to a person: ${agent} cannot answer, withdraw or move it.`, {
    details: { todo_id },
    fix: loopxCommand("gate", "approve", todo_id, "--goal-id", goal_id),
  });
}

function decides(gate: TodoRecord, { status, role, metadata }: TodoFields): boolean {
  if (status !== undefined && status !== gate.status) return true;
  if (role !== undefined && role !== gate.role) return true;
  return metadata !== undefined && DECIDING.some((key) => metadata[key] !== gate.metadata[key]);
}
