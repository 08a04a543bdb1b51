/** Kinds of drift in at most 16 letters, for a column of a table; lists and records have the kinds themselves. */
import type { DriftKind } from "../../drift/drift.ts";

export const DRIFT_WORDS: Readonly<Record<DriftKind, string>> = {
  state_file_unreadable: "unreadable state",
  state_file_missing: "no state file",
  activation_invalid: "activation",
  clock_stepped: "clock",
  moved_root: "moved root",
  runtime_goal_not_registered: "not registered",
  plan_conflict: "conflict",
  state_file_shrunk: "state file cut",
  heading_missing: "heading gone",
  todo_missing: "todo gone",
  next_action_projection_mismatch: "next action",
  claimed_by_unregistered_agent: "unknown agent",
  state_file_shared: "shared file",
  no_run_within_cadence: "overdue",
  artifacts_missing: "run files gone",
  index_damaged: "damaged index",
  next_action_without_todo: "no todo",
  waiting_without_user_todo: "no user todo",
  foreign_writer: "other writer",
};
