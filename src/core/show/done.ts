/** What `done` answers. */

import { loopxCommand } from "../command-line.ts";
import type { Evidence, GoalEvent, TodoRecord, Units } from "../events.ts";
import { isQuotaGate } from "../goal/quota-gate.ts";
import type { Problem } from "../result.ts";

export interface DoneFacts {
  readonly goal_id: string;
  readonly agent_id: string | null;
  /** As it stands after the command. */
  readonly todo: TodoRecord;
  readonly events: readonly GoalEvent[];
  readonly replay: boolean;
  readonly dry_run: boolean;
  readonly evidence: readonly Evidence[];
  readonly warnings: readonly Problem[];
}

export interface DonePayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string;
  readonly changed: boolean;
  readonly idempotent_replay: boolean;
  readonly dry_run: boolean;
  readonly status: string;
  readonly completed_at: string | null;
  readonly next_todos: readonly string[];
  readonly no_follow_up: string | null;
  readonly evidence: readonly Pick<Evidence, "label" | "outcome" | "exit_code" | "duration_ms" | "cached">[];
  readonly spent: Units | null;
  /** Used beyond the room that was left in the window; null: it fitted. */
  readonly over: Units | null;
  /** The question that the goal asks because this used up its window. */
  readonly quota_gate: string | null;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export function donePayload(facts: DoneFacts): DonePayload {
  const { goal_id, agent_id, todo, events, replay, dry_run, evidence, warnings } = facts;
  const closed = events.find((event) => event.type === "todo.closed");
  const spent = events.find((event) => event.type === "turn.spent");
  const { completed_at = null, successor_todo_ids = "", reason = null, no_followup } = todo.metadata;
  return {
    ok: true,
    goal_id,
    agent_id,
    todo_id: todo.todo_id,
    changed: closed !== undefined && !replay && !dry_run,
    idempotent_replay: replay,
    dry_run,
    status: todo.status,
    completed_at,
    next_todos: successor_todo_ids.split(",").filter((id) => id !== ""),
    no_follow_up: no_followup === "true" ? reason : null,
    evidence: evidence.map(({ label, outcome, exit_code, duration_ms, cached }) => ({
      label,
      outcome,
      exit_code,
      duration_ms,
      ...(cached === true && { cached }),
    })),
    spent: spent?.data.units ?? null,
    over: spent?.data.over ?? null,
    quota_gate: quotaGateIn(events),
    then: [loopxCommand("next", "--goal-id", goal_id, ...(agent_id === null ? [] : ["--agent-id", agent_id]))],
    warnings,
  };
}

export function quotaGateIn(events: readonly GoalEvent[]): string | null {
  const added = events.flatMap((event) => (event.type === "todo.added" ? [event.data.todo] : []));
  return added.find(isQuotaGate)?.todo_id ?? null;
}
