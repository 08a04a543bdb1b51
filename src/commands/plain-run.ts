/** A request to record a run of which nothing is said; whoever makes one adds the goal and what there is to say. */
import type { RefreshRequest } from "./app.ts";

export const PLAIN_RUN: Omit<RefreshRequest, "goalId"> = {
  agentId: null,
  agentLane: null,
  classification: null,
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
