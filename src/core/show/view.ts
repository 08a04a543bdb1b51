/**
 * Everything that can be shown of one goal, before the clock comes in: the read model behind status, drift and queue.
 *
 * Does not own: how it is gathered (`commands`), how it is judged (`core/drift`), what is printed (`core/show`).
 *
 * V1  A view holds facts and instants; ages, "future" and "overdue" are made when it is shown.
 * V2  A view is bounded: lists in it are the first few of what there is, with the count of all.
 * V3  `since` and its like are instants that stay while the thing stays: never the moment of looking.
 */
import type { Lifecycle, StandingConflict, TodoCounts } from "../goal/head.ts";
import type { GoalId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Problem } from "../result.ts";
import type { RunSummary } from "../runs/run.ts";

export type Activation =
  | { readonly kind: "active" }
  /** The registry says something that is neither of the two. */
  | { readonly kind: "invalid"; readonly since: Instant }
  | { readonly kind: "stopped"; readonly reason: string; readonly since: Instant | null };

/** What stands where the goal's state file should be. */
export type StateFile =
  | {
      readonly kind: "read";
      readonly path: string;
      readonly sha256_16: string;
      readonly changed_at: Instant;
      readonly updated_at: Instant | null;
    }
  | {
      readonly kind: "missing";
      readonly path: string;
      /** When its folder last changed, or the registry if that is gone too. */
      readonly since: Instant;
    }
  | { readonly kind: "unreadable"; readonly path: string; readonly since: Instant; readonly problem: Problem }
  /** Since the registry last changed; for a folder that no registry entry names, since that folder is there. */
  | { readonly kind: "not_declared"; readonly since: Instant };

export interface ShownTodo {
  readonly todo_id: string;
  readonly text: string;
  readonly priority: number | null;
  readonly task_class?: string;
  readonly claimed_by?: string;
  /** When it last changed, where that is known. */
  readonly since?: Instant;
}

/** A difference between the file and what was accepted that no command has settled yet. */
export interface Withheld {
  readonly kind: "todo_missing" | "file_shrunk" | "heading_missing";
  readonly todo_ids: readonly string[];
  readonly since: Instant;
}

export interface MissingArtifacts {
  /** Of the run, as it was written. */
  readonly generated_at: string;
  readonly paths: readonly string[];
  /** Runs of the journal can be written again. */
  readonly origin?: "journal" | "foreign";
}

export interface DeclaredWait {
  readonly waiting_on: string;
  /** `attention_status`. */
  readonly status: string | null;
  /** `operator_question`, else `recommended_action`. */
  readonly action: string | null;
}

export interface GoalView {
  readonly goal_id: GoalId;
  /** Named by the registry; false for a folder under `goals/` that no registry entry names. */
  readonly registered: boolean;
  readonly display_name: string | null;
  readonly domain: string | null;
  /** The registry's `status` text, shown and never judged. */
  readonly declared_status: string | null;
  readonly registered_agents: readonly string[];
  /** `adapter.status` and `adapter.kind` of the registry, as far as attention depends on them (data-plane 10). */
  readonly adapter?: { readonly kind: string | null; readonly status: string | null };
  /** What the registry entry itself says the goal waits for; absent where it says nothing. */
  readonly declared_wait?: DeclaredWait;
  readonly activation: Activation;
  readonly lifecycle: Lifecycle;
  readonly state_file: StateFile;
  /** Other goals of the registry that name the same state file; at most 5. */
  readonly shares_state_file_with: readonly string[];
  /** When the registry file last changed; absent where no registry was read. */
  readonly registry_changed_at?: Instant;
  readonly next_action: { readonly entries: readonly string[]; readonly since: Instant } | null;
  readonly objective: string;
  readonly todo_counts: TodoCounts;
  /** In ready order, at most 5 each. */
  readonly open_agent_todos: readonly ShownTodo[];
  readonly open_user_todos: readonly ShownTodo[];
  /** Claimed by a name that `registered_agents` does not have; at most 5. */
  readonly unregistered_claims: readonly ShownTodo[];
  readonly conflicts: readonly StandingConflict[];
  readonly withheld: readonly Withheld[];
  readonly runs: {
    readonly count: number;
    /** Rows of the index that count as runs of others. */
    readonly foreign_count: number;
    /** Newest runs that speak for the goal (not neutral, not of an agent lane), newest first by instant, at most 3 that are not dated after `gathered_at`, preceded by those that are (the nearest 3). */
    readonly latest: readonly RunSummary[];
    /** Newest of all runs, whatever its class. */
    readonly last_activity_at: Instant | null;
    /** Newest runs whose files are gone, at most 3. */
    readonly missing_artifacts: readonly MissingArtifacts[];
    /** A row that another program appended after LoopX's own first run. */
    readonly foreign_writer: { readonly since: Instant; readonly generated_at: string } | null;
    readonly damage_count: number;
    /** When the damage was first met, where that is known. */
    readonly damage_since?: Instant;
  };
  /** Longest time between runs that the goal allows, in milliseconds; null when it names none. */
  readonly cadence_ms: number | null;
  /** Set when the clock of this machine stands far behind the goal's newest event. */
  readonly clock_stepped: { readonly last_at: Instant } | null;
  /** Set when the folder was recorded under another root. */
  readonly moved_root: { readonly recorded: string; readonly actual: string; readonly since: Instant } | null;
  /** Everything that is wrong with the goal's files, at most 20. */
  readonly problems: readonly Problem[];
  readonly problem_count: number;
  readonly gathered_at: Instant;
}
