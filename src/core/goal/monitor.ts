/**
 * What follows when somebody looked at what a monitor watches, or at the condition that a todo waits for.
 *
 * Does not own: looking (`poll`), and when a monitor is due (`todo-traits.ts`).
 *
 * M1  Looking never closes a monitor; its time is set on by one cadence, counted from now.
 * M2  Seeing the same again is no change: it is counted.
 */
import type { GoalFact, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { toRunTime } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import type { LeaseState } from "./lease.ts";
import { unknownTodo } from "./todo.ts";
import { cadenceOf, kindOf, nextDue, unchangedOf, wakeOf } from "./todo-traits.ts";

export type MonitorCommand =
  | {
      readonly kind: "poll-monitor";
      readonly todo_id: TodoId;
      /** Digest of what was seen. */
      readonly result_hash: string;
      /** Null: decided by comparing the digests. */
      readonly material_change: boolean | null;
    }
  /** The condition that only a command can find out was met. */
  | { readonly kind: "wake-todo"; readonly todo_id: TodoId };

export function handleMonitor(state: LeaseState, command: MonitorCommand): readonly GoalFact[] | Refusal {
  const todo = state.todos.get(command.todo_id);
  if (todo === undefined) return unknownTodo(command.todo_id);
  return command.kind === "wake-todo" ? wake(todo) : poll(state, todo, command);
}

function wake(todo: TodoRecord): readonly GoalFact[] | Refusal {
  if (wakeOf(todo)?.kind !== "polled") {
    return refuse("no_condition", `${todo.todo_id} waits for nothing that has to be looked up.`, {
      details: { todo_id: todo.todo_id },
    });
  }
  if (todo.wake_met === true) return [];
  return [{ type: "todo.changed", data: { todo_id: todo.todo_id, fields: { wake_met: true }, source: "command" } }];
}

/** (M2) */
export function isChange(
  { metadata }: Pick<TodoRecord, "metadata">,
  { result_hash, material_change }: Pick<Extract<MonitorCommand, { kind: "poll-monitor" }>, "result_hash" | "material_change">,
): boolean {
  return material_change ?? metadata["result_hash"] !== result_hash;
}

function poll(
  { now }: LeaseState,
  todo: TodoRecord,
  { result_hash, material_change }: Extract<MonitorCommand, { kind: "poll-monitor" }>,
): readonly GoalFact[] | Refusal {
  const { todo_id, metadata } = todo;
  if (kindOf(todo) !== "monitor" || todo.status !== "open") {
    return refuse("not_a_monitor", `${todo_id} is no open monitor.`, {
      details: { todo_id, status: todo.status },
      fix: "loopx todo list",
    });
  }
  const changed = isChange(todo, { result_hash, material_change });
  const unchanged = changed ? 0 : unchangedOf(todo) + 1; // (M2)
  const fields = {
    metadata: {
      ...metadata,
      last_checked_at: toRunTime(now),
      next_due_at: toRunTime(nextDue(now, cadenceOf(todo))), // (M1)
      result_hash,
      consecutive_no_change: String(unchanged),
      material_change: String(changed),
    },
  };
  return [{ type: "monitor.polled", data: { todo_id, result_hash, changed, fields, source: "command" } }];
}
