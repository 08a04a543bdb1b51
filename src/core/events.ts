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
}

export type TodoFields = Partial<Omit<TodoRecord, "todo_id">>;

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

export type GoalFact =
  | { readonly type: "goal.opened"; readonly data: { readonly registry: string } }
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
