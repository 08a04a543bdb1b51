/**
 * A registry as it was declared: what people wrote, and what is wrong with it, goal by goal.
 *
 * Does not own: how text becomes a `Registry` (`declare.ts`), and where its files lie (`locate.ts`, `resolve-roots.ts`).
 *
 * G1  All of it is plain JSON: a `DeclaredGoal` can be stored as text and read back.
 * G2  A goal in `goals` has a safe id; an entry without one is in `unusable` and is never followed to a folder.
 */
import type { AgentId, GoalId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Problem } from "../result.ts";
import type { JsonObject } from "./json-node.ts";
import type { DeclaredQuota } from "./quota.ts";

export const ACTIVATION_SCHEMA = "loopx_goal_activation_v1";

export interface RegistryProblem extends Problem {
  readonly severity: "error" | "warning";
  /** `global`: the registry itself; `goal`: one goal; `goals`: several at once. */
  readonly scope: "global" | "goal" | "goals";
  readonly goal_id?: string;
  readonly goal_ids?: readonly string[];
}

/** What the value of `common_runtime_root` says. */
export type DeclaredRoot =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "invalid"; readonly message: string };

/** `clear`, or why no command writes to this goal. */
export type GoalStanding = "clear" | "duplicate_id" | "id_collision";

export interface GoalActivation {
  /** A goal without an `activation` is active; `invalid` is neither, so nothing acts on it. */
  readonly state: "active" | "stopped" | "invalid";
  readonly updated_at: Instant | null;
  readonly reason: string | null;
}

export interface DeclaredGoal {
  readonly goal_id: GoalId;
  /** From 0, the place in `goals` of the registry. */
  readonly ordinal: number;
  /** Where its entry starts. */
  readonly line: number;
  readonly standing: GoalStanding;
  readonly display_name: string | null;
  readonly domain: string | null;
  readonly status: string | null;
  readonly role: string;
  readonly parent_goal_id: string | null;
  /** As written; `locate.ts` makes paths of these three. */
  readonly repo: string | null;
  readonly state_file: string | null;
  readonly source_registry: string | null;
  readonly adapter: { readonly kind: string | null; readonly status: string | null };
  readonly activation: GoalActivation;
  readonly registered_agents: readonly AgentId[];
  /** Of `coordination.agent_work_modes`: agents that only look after monitors. */
  readonly monitor_only_agents: readonly AgentId[];
  /** Path patterns that work on the goal may write to; empty: anything. */
  readonly write_scope: readonly string[];
  /** With what the registry declares for all goals. */
  readonly quota: DeclaredQuota;
  /** `cadence` of the entry (`30m`, `2h`, `1d`, `1w`) in milliseconds. */
  readonly cadence_ms: number | null;
  /** Everything that was written, unknown fields too. */
  readonly entry: JsonObject;
  readonly problems: readonly RegistryProblem[];
}

/** An entry of `goals` that names no goal (G2). */
export interface UnusableEntry {
  readonly ordinal: number;
  readonly line: number;
  /** The id as written, for showing only. */
  readonly shown_id: string | null;
  readonly problems: readonly RegistryProblem[];
}

export interface Registry {
  /** Absolute path that the problems name. */
  readonly path: string;
  readonly schema_version: string | null;
  readonly updated_at: string | null;
  readonly registry_role: string | null;
  readonly common_runtime_root: DeclaredRoot;
  readonly writable: "yes" | "newer_version" | "unknown_version";
  readonly goals: readonly DeclaredGoal[];
  readonly unusable: readonly UnusableEntry[];
  /** Every problem, those of goals and unusable entries too, in the order of the file. */
  readonly problems: readonly RegistryProblem[];
}
