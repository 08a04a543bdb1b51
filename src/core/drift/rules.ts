/**
 * Every rule that looks for drift, most pressing first. To add a kind: a file under `kinds/`, its name in `DriftKind`, a line here.
 */
import type { DriftRule } from "./drift.ts";
import { activationInvalid } from "./kinds/activation-invalid.ts";
import { artifactsMissing } from "./kinds/artifacts-missing.ts";
import { claimedByUnregisteredAgent } from "./kinds/claimed-by-unregistered-agent.ts";
import { clockStepped } from "./kinds/clock-stepped.ts";
import { foreignWriter } from "./kinds/foreign-writer.ts";
import { indexDamaged } from "./kinds/index-damaged.ts";
import { movedRoot } from "./kinds/moved-root.ts";
import { nextActionMismatch } from "./kinds/next-action-mismatch.ts";
import { nextActionWithoutTodo } from "./kinds/next-action-without-todo.ts";
import { noRunWithinCadence } from "./kinds/no-run-within-cadence.ts";
import { planConflict } from "./kinds/plan-conflict.ts";
import { runtimeGoalNotRegistered } from "./kinds/runtime-goal-not-registered.ts";
import { stateFileMissing } from "./kinds/state-file-missing.ts";
import { stateFileShared } from "./kinds/state-file-shared.ts";
import { stateFileUnreadable } from "./kinds/state-file-unreadable.ts";
import { waitingWithoutUserTodo } from "./kinds/waiting-without-user-todo.ts";
import { withheld } from "./kinds/withheld.ts";

export const DRIFT_RULES: readonly DriftRule[] = [
  stateFileUnreadable,
  stateFileMissing,
  activationInvalid,
  clockStepped,
  movedRoot,
  runtimeGoalNotRegistered,
  planConflict,
  withheld,
  nextActionMismatch,
  claimedByUnregisteredAgent,
  stateFileShared,
  noRunWithinCadence,
  artifactsMissing,
  indexDamaged,
  nextActionWithoutTodo,
  waitingWithoutUserTodo,
  foreignWriter,
];
