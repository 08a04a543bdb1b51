/**
 * The state of one goal as its journal tells it: a small head, and its todos beside it.
 *
 * Does not own: what the registry and the state file say now (they are read), ages and "due" (computed when shown).
 *
 * H1  A head is what folding the goal's events gives, key for key; nothing else writes it.
 * H2  A head holds instants, never ages, and stays small: its size does not grow with history or with the todos.
 */
import type { PlanConflict, RunFacts, TodoRecord } from "../events.ts";
import type { AgentId, GoalId, TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";

export type Lifecycle =
  | { readonly kind: "active" }
  | { readonly kind: "stopped"; readonly since: Instant; readonly reason: string }
  /** The folder is on its way to `target`; whoever meets this finishes it. */
  | { readonly kind: "archiving"; readonly since: Instant; readonly source: string; readonly target: string }
  | { readonly kind: "archived"; readonly since: Instant; readonly target: string }
  /** The folder is on its way back from `source`. */
  | { readonly kind: "restoring"; readonly since: Instant; readonly source: string; readonly target: string };

/** Open, blocked, deferred, done of both roles; `waiting_for_person` counts open todos of the user role. */
export interface TodoCounts {
  readonly open: number;
  readonly blocked: number;
  readonly deferred: number;
  readonly done: number;
  readonly waiting_for_person: number;
}

export interface RecordedRun extends RunFacts {
  readonly seq: number;
  readonly at: Instant;
  readonly agent_id?: AgentId;
}

export interface StandingConflict extends PlanConflict {
  readonly since: Instant;
}

export interface GoalHead {
  readonly goal_id: GoalId;
  readonly generation: number;
  readonly seq: number;
  readonly opened_at: Instant;
  readonly last_at: Instant;
  /** Real path of the registry this goal belongs to. */
  readonly registry: string;
  readonly lifecycle: Lifecycle;
  readonly next_action: { readonly entries: readonly string[] | null; readonly changed_at: Instant };
  /** Seq of the newest event that is not a run: what is known of the plan is as old as this. */
  readonly intent_seq: number;
  /** Seq of the newest event that asks for a change of the state file; 0 when none does. */
  readonly plan_seq: number;
  readonly todo_counts: TodoCounts;
  readonly run_count: number;
  /** The newest run that speaks for the goal: neutral classes and agent lanes are passed over. */
  readonly latest_run: RecordedRun | null;
  readonly conflicts: readonly StandingConflict[];
}

export type Todos = ReadonlyMap<TodoId, TodoRecord>;

/** What `handle` judges: `todos` holds at least those that the command names. */
export interface GoalState {
  readonly head: GoalHead | null;
  readonly todos: Todos;
}
