/**
 * One place where execution has moved away from intent.
 *
 * Does not own: which kinds there are to look for (`rules.ts`) and what is done about one (`commands`).
 *
 * F1  The same difference is the same value at every reading: `since` and both sides come from the view, never from the clock.
 * F2  A fix is a command to paste, or the reason why only a person can put it right. `safe` says that the command takes nothing from anyone, so
 *     that `--fix` may do it unasked.
 */
import { loopxCommand } from "../command-line.ts";
import type { Instant } from "../instant.ts";
import type { Severity } from "../show/rank.ts";
import type { GoalView } from "../show/view.ts";

export type DriftKind =
  | "state_file_unreadable"
  | "state_file_missing"
  | "activation_invalid"
  | "clock_stepped"
  | "moved_root"
  | "runtime_goal_not_registered"
  | "plan_conflict"
  | "state_file_shrunk"
  | "heading_missing"
  | "todo_missing"
  | "next_action_projection_mismatch"
  | "claimed_by_unregistered_agent"
  | "state_file_shared"
  | "no_run_within_cadence"
  | "artifacts_missing"
  | "index_damaged"
  | "next_action_without_todo"
  | "waiting_without_user_todo"
  | "foreign_writer";

export type Fix = { readonly command: string; readonly safe: boolean } | { readonly person: string };

export interface Drift {
  readonly goal_id: string;
  readonly kind: DriftKind;
  readonly severity: Severity;
  /** What people declared. */
  readonly declared: string;
  /** What is there. */
  readonly observed: string;
  readonly since: Instant;
  readonly fix: Fix;
  /** Which of several of one kind: a todo id, a field, the time of a run. */
  readonly subject?: string;
}

/** Everything of a `Drift` but its goal. */
export type Finding = Omit<Drift, "goal_id">;

/** Which goals a rule concerns: those at work, also stopped ones, also archived ones. */
export type Concern = "running" | "stopped_too" | "archived_too";

export interface DriftRule {
  readonly kinds: readonly DriftKind[];
  readonly concerns: Concern;
  readonly find: (view: GoalView, now: Instant) => readonly Finding[];
  /** The next instant after `now` at which `find` answers otherwise although the view stays; null: never. */
  readonly nextChange?: (view: GoalView, now: Instant) => Instant | null;
}

/** A command about one goal: `loopx <words> --goal-id <id>`. */
export function goalCommand(view: GoalView, words: string, ...options: readonly string[]): string {
  return goalCommandFor(view.goal_id, words, ...options);
}

export function goalCommandFor(goalId: string, words: string, ...options: readonly string[]): string {
  return loopxCommand(...words.split(" "), "--goal-id", goalId, ...options);
}
