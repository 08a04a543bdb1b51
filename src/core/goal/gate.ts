/**
 * What follows when a person answers a gate, or when its time is up.
 *
 * Does not own: which work a gate holds up (`core/next/gates.ts`), how it is shown.
 *
 * A1  A gate is answered once; a second answer is refused and shows the first.
 * A2  `reject` closes what the gate covers, or, where the gate says `on_reject=reopen`, leaves it open without the gate.
 *     What waited for something that is closed as rejected is blocked with that reason: nothing open waits for it.
 * A3  `defer` changes only when the question is asked again: at the time that is given, else when the next reminder would come.
 * A4  What a gate about agents or the whole goal covers is not named by it: a rejection blocks that work with that reason, and closes
 *     it only where the gate says `on_reject=close`. Nothing that was held up goes on because the answer was no.
 * A5  The reason that stands on a gate is that of its last answer; an answer without one leaves none.
 */
import type { GateOutcome, GoalFact, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { addMilliseconds, type Instant, toRunTime } from "../instant.ts";
import { type Refusal, refuse } from "../result.ts";
import { blockedFor, blockWaiters, closedFields, endOfLease, isUnfinished } from "./closing.ts";
import { scopeCovers } from "./decision-scope.ts";
import { holderOf, leaseOf } from "./fence.ts";
import type { LeaseState } from "./lease.ts";
import { unknownTodo } from "./todo.ts";
import { coversByName, decisionScopesOf, gateScopeOf, kindOf, remindsEvery } from "./todo-traits.ts";

export interface GateCommand {
  readonly kind: "decide-gate";
  readonly todo_id: TodoId;
  readonly outcome: GateOutcome;
  readonly reason: string;
  readonly by: "person" | "default";
  /** When a deferred gate is asked again; null: after one reminder's time. */
  readonly until: Instant | null;
}

/** `state.todos` holds what the gate names and what waits for that; for a decision scope, all todos. */
export function decideGate(state: LeaseState, command: GateCommand): readonly GoalFact[] | Refusal {
  const gate = state.todos.get(command.todo_id);
  if (gate === undefined) return unknownTodo(command.todo_id);
  if (kindOf(gate) !== "gate") {
    return refuse("not_a_gate", `${gate.todo_id} is no question to a person.`, {
      details: { todo_id: gate.todo_id },
      fix: "loopx gate list",
    });
  }
  if (gate.status === "done" || gate.archived) return answeredBefore(gate); // (A1)
  const decided = decision(gate, command, state.now);
  return command.outcome === "reject" ? [decided, ...rejection(state, gate)] : [decided];
}

function answeredBefore(gate: TodoRecord): Refusal {
  const { decision_outcome = "done", completed_at = null, reason = null } = gate.metadata;
  return refuse("gate_decided", `${gate.todo_id} was answered before: ${decision_outcome}.`, {
    details: { todo_id: gate.todo_id, decision: { outcome: decision_outcome, at: completed_at, reason } },
  });
}

function decision(gate: TodoRecord, { outcome, reason, by, until }: GateCommand, now: Instant): GoalFact {
  const { remind_at: _remind, reason: _before, ...metadata } = gate.metadata; // (A5)
  const said = reason === "" ? {} : { reason };
  const fields =
    outcome === "defer"
      ? { metadata: { ...metadata, ...said, remind_at: toRunTime(until ?? addMilliseconds(now, remindsEvery(gate))) } } // (A3)
      : {
          status: "done" as const,
          metadata: { ...metadata, ...said, decision_outcome: outcome, decided_by: by, completed_at: toRunTime(now) },
        };
  return { type: "gate.decided", data: { todo_id: gate.todo_id, outcome, reason, by, fields, source: "command" } };
}

/** (A2, A4) */
function rejection(state: LeaseState, gate: TodoRecord): readonly GoalFact[] {
  const effect = onReject(gate);
  if (effect === "reopen") return [];
  const covered = [...state.todos.values()].filter((todo) => isCovered(state, gate, todo));
  if (effect === "block") {
    const going = covered.filter(({ status }) => status !== "blocked");
    return going.flatMap((todo) => blockedFor(state, todo, rejectedWords(gate)));
  }
  const closed = new Set(covered.map((todo) => todo.todo_id));
  return [...covered.flatMap((todo) => closing(state, gate, todo)), ...blockWaiters(state, closed)];
}

/** What becomes of what a gate covers when it is rejected. */
export function onReject(gate: Pick<TodoRecord, "metadata">): "close" | "reopen" | "block" {
  const { on_reject: said } = gate.metadata;
  if (said === "reopen" || said === "close") return said;
  const { kind } = gateScopeOf(gate);
  return kind === "agents" || kind === "goal" ? "block" : "close";
}

function isCovered({ head, now }: LeaseState, gate: TodoRecord, todo: TodoRecord): boolean {
  if (!isUnfinished(todo) || todo.role !== "agent") return false;
  const scope = gateScopeOf(gate);
  switch (scope.kind) {
    case "todos":
      return coversByName(gate).includes(todo.todo_id);
    case "decision":
      return decisionScopesOf(todo).some((needed) => scopeCovers(scope.scope, needed));
    case "agents": {
      const owner = holderOf(todo, leaseOf(head, todo.todo_id), now);
      return owner !== null && scope.agents.includes(owner);
    }
    case "goal":
      return kindOf(todo) === "work"; // As long as it was asked, monitors went on too.
  }
}

function rejectedWords({ todo_id }: TodoRecord): string {
  return `gate ${todo_id} was rejected`;
}

function closing({ head, now }: LeaseState, gate: TodoRecord, todo: TodoRecord): readonly GoalFact[] {
  const { todo_id } = todo;
  const next = { kind: "none", reason: rejectedWords(gate) } as const;
  const { claimed_by: _owner, ...metadata } = todo.metadata;
  const fields = closedFields(todo, { outcome: "rejected", next, fields: { metadata }, now });
  return [
    ...endOfLease(head, todo_id),
    { type: "todo.closed", data: { todo_id, outcome: "rejected", next, fields, source: "command" } },
  ];
}
