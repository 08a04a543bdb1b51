/** A request to record a run, with nothing but its class. */
import type { RefreshRequest } from "../../src/commands/app.ts";

export const REFRESH: RefreshRequest = {
  goalId: "alpha",
  agentId: null,
  agentLane: null,
  classification: "progress",
  recommendedAction: null,
  nextAction: null,
  deliveryOutcome: null,
  deliveryBatchScale: null,
  todoId: null,
  turnInstanceId: null,
  progressScope: null,
  stateFile: null,
  dryRun: false,
};
