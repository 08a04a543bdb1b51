/**
 * The state of one goal as its journal tells it: a small head, and its todos beside it.
 *
 * Does not own: what the registry and the state file say now (they are read), ages and "due" (computed when shown).
 *
 * H1  A head is what folding the goal's events gives, key for key; nothing else writes it.
 * H2  A head holds instants, never ages, and stays small: its size does not grow with history or with the todos.
 */
import type { Lease, PlanConflict, RunFacts, TodoRecord, Units } from "../events.ts";
import type { AgentId, GoalId, TodoId, TurnId } from "../id.ts";
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
  /** The newest fencing number given for any todo of the goal. */
  readonly fence: number;
  /** Leases that were not freed, by todo; an expired one stays until somebody meets it. */
  readonly leases: Readonly<Record<string, Lease>>;
  /** Turns that were decided and not yet written, by turn. */
  readonly turns: Readonly<Record<string, OpenTurn>>;
  /** Agents that were told to wait, for example by a rate limit. */
  readonly waits: Readonly<Record<string, { readonly until: Instant; readonly reason: string }>>;
  /** By agent ("" for none): the newest written turn or run that delivered and was not spent yet. */
  readonly unspent: Readonly<Record<string, Accountable>>;
  /** Everything that was ever spent and not voided. */
  readonly spent: Units;
  /** Bytes of the goal's events and evidence, reconciled with the disk by `runtime.measured`. */
  readonly runtime_bytes: number;
}

export interface Accountable {
  readonly seq: number;
  readonly turn_id: TurnId | null;
  readonly todo_id: TodoId | null;
}

export interface OpenTurn {
  readonly turn_id: TurnId;
  readonly agent_id: AgentId | null;
  readonly todo_id: TodoId | null;
  readonly seq: number;
  readonly decided_at: Instant;
  /** SHA-256 over what was asked. */
  readonly request: string;
}

/** What a goal begins with. */
export const HEAD_BEGINNING: Pick<GoalHead, "fence" | "leases" | "turns" | "waits" | "unspent" | "spent" | "runtime_bytes"> = {
  fence: 0,
  leases: {},
  turns: {},
  waits: {},
  unspent: {},
  spent: { slots: 0, tokens: 0, wall_ms: 0 },
  runtime_bytes: 0,
};

export type Todos = ReadonlyMap<TodoId, TodoRecord>;

/** What `handle` judges: `todos` holds at least those that the command names. */
export interface GoalState {
  readonly head: GoalHead | null;
  readonly todos: Todos;
}

/** Todos that the agent holds a lease of, live or not; without an agent, those of all. */
export function leasedTo(head: GoalHead | null, agent: AgentId | null): readonly TodoId[] {
  const leases = Object.values(head?.leases ?? {});
  return leases.filter(({ owner }) => agent === null || owner === agent).map(({ todo_id }) => todo_id);
}
