/** Which todos have to be loaded so that what an answer to a gate leads to can be judged. */
import type { GateOutcome, TodoRecord } from "../core/events.ts";
import { coversByName, gateScopeOf, kindOf } from "../core/goal/todo-traits.ts";
import type { Lacking, TodoState } from "./write-todos.ts";

/** A rejection reaches what the gate covers and what waits for that. */
export function lackingOf(gate: TodoRecord, { asked }: Pick<TodoState, "asked">, outcome: GateOutcome): Lacking | null {
  if (outcome !== "reject" || asked === "all" || kindOf(gate) !== "gate") return null;
  if (gateScopeOf(gate).kind === "decision") return { kind: "lacking", ids: "all" };
  const ids = coversByName(gate).filter((id) => !asked.includes(id));
  return ids.length === 0 ? null : { kind: "lacking", ids };
}
