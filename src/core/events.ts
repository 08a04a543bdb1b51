/**
 * The facts that LoopX records: every event of a goal's journal.
 *
 * Does not own: which events a command leads to (`goal/handle.ts`), what they do to the head (`goal/evolve.ts`).
 *
 * J1  An event is never changed once it is appended; a new shape is a new type or an optional field.
 * J2  `seq` counts from 1 within (goal, generation) without a hole; `pos` is store-wide and given by the store.
 */
import type { AgentId, GoalId, TodoId, TurnId } from "./id.ts";
import type { Instant } from "./instant.ts";
import type { TodoRole, TodoStatus } from "./plan/plan.ts";

/** Everything a todo is, as it stands in the store and on the screen. */
export interface TodoRecord {
  readonly todo_id: TodoId;
  /** `metadata`: the file names the id. `generated`: LoopX keeps it for a line that has none. */
  readonly id_source: "metadata" | "generated";
  readonly role: TodoRole;
  readonly text: string;
  readonly status: TodoStatus;
  readonly priority: number | null;
  readonly task_class: string | null;
  readonly section: string;
  /** Order in the file among the todos of its section. */
  readonly index: number;
  readonly archived: boolean;
  /** Decoded metadata of the state file, unknown keys too. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Todos and gates of this goal that are still to be done before this one can be; absent when there are none. */
  readonly waits_for?: readonly TodoId[];
  /** The newest fencing number that was given for it; it stays when the lease ends. */
  readonly lease_epoch?: number;
  /** Closed without naming what comes next or why nothing does. */
  readonly gap?: true;
  /** Set by `poll` when the condition it waits for was met. */
  readonly wake_met?: true;
  /** Turns on it that brought nothing new, newest observation last. */
  readonly stall?: Stall;
}

/** What repeated turns on one todo saw; a turn with a new observation starts it again. */
export interface Stall {
  readonly observation: string;
  /** Turns in a row that failed with that observation. */
  readonly failures: number;
  /** Turns in a row without new evidence. */
  readonly quiet: number;
}

/** Fields that a file or a command can change; what is derived from other todos and from leases is not among them. */
export type TodoFields = Partial<Omit<TodoRecord, "todo_id" | "waits_for" | "lease_epoch" | "gap" | "stall">>;

/** Where a change came from: a person's edit of the file, or a command. */
export type ChangeSource = "file" | "command";

export interface RunFacts {
  readonly classification: string;
  readonly recommended_action: string;
  readonly recommended_action_source: string;
  readonly health_check: string;
  readonly progress_scope: "goal" | "agent_lane";
  readonly agent_lane?: string;
  readonly delivery_outcome?: string;
  readonly delivery_batch_scale?: string;
  readonly todo_id?: TodoId;
  readonly turn_instance_id?: TurnId;
  /** The state file as it was read for this run; null when there was none to read. */
  readonly state: RunState | null;
}

export interface RunState {
  readonly path: string;
  /** First 16 hex digits of SHA-256 over the text with line endings as LF (data-plane 5). */
  readonly sha256_16: string;
  readonly frontmatter: Readonly<Record<string, string>>;
  readonly next_action: readonly string[];
  readonly recent_feedback: readonly string[];
  readonly progress: readonly string[];
}

/** A field that the file and LoopX changed at once; the file's side stands. */
export interface PlanConflict {
  /** `next_action`, or `<todo_id>.<field>`. */
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Amounts of each unit; a unit that is not named is 0. */
export interface Units {
  readonly slots: number;
  readonly tokens: number;
  readonly wall_ms: number;
}

/** The right of one owner to work on one todo, until `expires_at`. */
export interface Lease {
  readonly todo_id: TodoId;
  readonly owner: AgentId;
  /** Which execution of that agent; two of one agent are two. */
  readonly instance?: string;
  readonly turn_id?: TurnId;
  /** Fencing number: grows with each owner, never goes back, survives release. */
  readonly epoch: number;
  /** Counts the renewals and moves of this lease from 1. */
  readonly version: number;
  readonly ttl_ms: number;
  readonly taken_at: Instant;
  readonly renewed_at: Instant;
  readonly expires_at: Instant;
  readonly key?: string;
  readonly write_scopes: readonly string[];
  /** Set aside of the quota until the lease ends. */
  readonly reserved: Units;
  /** The owner in the state file before the lease was taken, where there was one. */
  readonly claimed_before?: string;
}

export type LeaseEnd = "completed" | "released" | "expired" | "withdrawn";
export type CloseOutcome = "done" | "superseded" | "rejected";
export type GateOutcome = "approve" | "reject" | "defer";

/** Why a closed todo has no open work behind it, or which work that is. */
export type Continuation =
  | { readonly kind: "successors"; readonly todo_ids: readonly TodoId[] }
  | { readonly kind: "none"; readonly reason: string }
  /** Nothing was said. */
  | { readonly kind: "open" };

export interface Evidence {
  readonly todo_id?: TodoId;
  readonly label: string;
  readonly argv: readonly string[];
  readonly outcome: "passed" | "failed" | "timed_out" | "not_started" | "reported";
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** Content of the workspace it was made on; null where none was taken. */
  readonly tree_hash: string | null;
  readonly environment: string | null;
  readonly output: { readonly sha256: string; readonly bytes: number } | null;
  readonly cached?: true;
  readonly note?: string;
}

export type TurnOutcome = "completed" | "progress" | "repair" | "replan" | "ask" | "wait" | "failed";

/** What `next` answered when the turn was opened, so that the same question gets the same answer. */
export interface DecidedTurn {
  readonly turn_id: TurnId;
  readonly act: string;
  readonly why: string;
  readonly todo_id: TodoId | null;
  /** SHA-256 over what was asked. */
  readonly request: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface WrittenTurn {
  readonly turn_id?: TurnId;
  readonly todo_id: TodoId | null;
  readonly outcome: TurnOutcome;
  readonly summary: string;
  /** What was seen, as a digest: equal observations are no progress. */
  readonly observation: string;
  readonly evidence: readonly number[];
}

export type GoalFact =
  | {
      readonly type: "goal.opened";
      readonly data: {
        readonly registry: string;
        /** The newest fencing number of the generation before. */
        readonly fence?: number;
      };
    }
  | { readonly type: "goal.activated"; readonly data: { readonly reason: string } }
  | { readonly type: "goal.stopped"; readonly data: { readonly reason: string } }
  | {
      readonly type: "plan.next_action_set";
      readonly data: { readonly entries: readonly string[] | null; readonly source: ChangeSource };
    }
  | { readonly type: "plan.conflict"; readonly data: PlanConflict }
  | { readonly type: "plan.conflict_settled"; readonly data: { readonly field: string } }
  | { readonly type: "todo.added"; readonly data: { readonly todo: TodoRecord; readonly source: ChangeSource } }
  | {
      readonly type: "todo.changed";
      readonly data: { readonly todo_id: TodoId; readonly fields: TodoFields; readonly source: ChangeSource };
    }
  | { readonly type: "todo.withdrawn"; readonly data: { readonly todo_id: TodoId } }
  | {
      readonly type: "todo.closed";
      readonly data: {
        readonly todo_id: TodoId;
        readonly outcome: CloseOutcome;
        readonly next: Continuation;
        readonly fields: TodoFields;
        readonly source: ChangeSource;
      };
    }
  | {
      readonly type: "gate.decided";
      readonly data: {
        readonly todo_id: TodoId;
        readonly outcome: GateOutcome;
        readonly reason: string;
        readonly by: "person" | "default";
        readonly fields: TodoFields;
        readonly source: ChangeSource;
      };
    }
  | { readonly type: "lease.taken"; readonly data: Lease }
  | {
      readonly type: "lease.renewed";
      readonly data: Pick<Lease, "todo_id" | "epoch" | "version" | "ttl_ms" | "expires_at">;
    }
  | { readonly type: "lease.moved"; readonly data: Lease & { readonly from: AgentId } }
  | {
      readonly type: "lease.freed";
      readonly data: { readonly todo_id: TodoId; readonly epoch: number; readonly reason: LeaseEnd };
    }
  | { readonly type: "turn.decided"; readonly data: DecidedTurn }
  | { readonly type: "turn.written"; readonly data: WrittenTurn }
  | {
      readonly type: "turn.spent";
      readonly data: {
        readonly turn_id?: TurnId;
        readonly todo_id: TodoId | null;
        readonly units: Units;
        /** Used beyond the room that was left: it is told, and no part of what was spent. */
        readonly over?: Units;
        readonly source: string;
      };
    }
  | {
      readonly type: "turn.voided";
      readonly data: { readonly spent_seq: number; readonly units: Units; readonly reason: string };
    }
  | { readonly type: "agent.waits"; readonly data: { readonly until: Instant; readonly reason: string } }
  | { readonly type: "agent.wait_ended"; readonly data: { readonly agent_id: AgentId; readonly reason: string } }
  | {
      readonly type: "monitor.polled";
      readonly data: {
        readonly todo_id: TodoId;
        readonly result_hash: string;
        readonly changed: boolean;
        readonly fields: TodoFields;
        readonly source: ChangeSource;
      };
    }
  | { readonly type: "evidence.recorded"; readonly data: Evidence }
  | { readonly type: "runtime.measured"; readonly data: { readonly bytes: number } }
  | { readonly type: "run.recorded"; readonly data: RunFacts }
  | { readonly type: "archive.started"; readonly data: { readonly source: string; readonly target: string } }
  | { readonly type: "archive.done"; readonly data: { readonly target: string } }
  | { readonly type: "restore.started"; readonly data: { readonly source: string; readonly target: string } }
  | { readonly type: "restore.done"; readonly data: { readonly source: string } };

export interface Envelope {
  readonly goal_id: GoalId;
  readonly generation: number;
  readonly seq: number;
  readonly at: Instant;
  readonly agent_id?: AgentId;
  readonly turn_id?: TurnId;
}

export type GoalEvent = Envelope & GoalFact;
export type GoalEventType = GoalFact["type"];
