/** Routes of goals: what is declared, their runs, and what has drifted. */
import type { RefreshRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import { driftAnswer, goalAnswer, goalsAnswer, historyAnswer } from "../../../schema/http/answers.ts";
import {
  driftFixBody,
  goalAddBody,
  goalRemoveBody,
  goalResumeBody,
  goalStopBody,
  type RefreshBody,
  refreshAllBody,
  refreshBody,
} from "../../../schema/http/bodies.ts";
import {
  activationAnswer,
  driftFixAnswer,
  goalAddAnswer,
  goalRemoveAnswer,
  refreshAllAnswer,
  refreshAnswer,
} from "../../../schema/http/write-answers.ts";
import { momentOf } from "../moment.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { pageOf } from "./page-of.ts";

export const GOAL_CASES: readonly UseCase[] = [
  read({
    path: "/goals",
    summary: "The goals of the registry.",
    parameters: ["limit", "cursor", "all"],
    answer: goalsAnswer,
    ask: (app, { given }) => app.goalList({ ...pageOf(given), all: given.all ?? false }),
  }),
  write({
    path: "/goals",
    summary: "Adds a goal with its state file; one that is there is left as it is.",
    body: goalAddBody,
    answer: goalAddAnswer,
    ask: (app, { body }) =>
      app.goalAdd({
        goalId: body.goal_id,
        objective: body.objective,
        displayName: body.display_name ?? null,
        stateFile: body.state_file ?? null,
        dryRun: body.dry_run ?? false,
      }),
  }),
  read({
    path: "/goals/{goal_id}",
    summary: "One goal as its files declare it.",
    parameters: [],
    answer: goalAnswer,
    ask: (app, { ids }) => app.goalShow({ goalId: ids.goal_id }),
  }),
  read({
    path: "/goals/{goal_id}/history",
    summary: "Recorded runs of one goal, newest first.",
    parameters: ["limit", "cursor", "at"],
    answer: historyAnswer,
    ask: (app, { ids, given }) => app.history({ ...pageOf(given), goalId: ids.goal_id, ...momentOf(given) }),
  }),
  write({
    path: "/goals/{goal_id}/refresh",
    summary: "Records a run of the goal.",
    body: refreshBody,
    answer: refreshAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      return turn.kind === "done" ? await app.refresh(refreshRequest(body, ids.goal_id, turn.value)) : turn;
    },
  }),
  write({
    path: "/goals/{goal_id}/stop",
    summary: "Stops the goal: it takes no runs.",
    body: goalStopBody,
    answer: activationAnswer,
    ask: (app, { ids, body }) =>
      app.goalStop({ goalId: ids.goal_id, reason: body.reason ?? null, dryRun: body.dry_run ?? false }),
  }),
  write({
    path: "/goals/{goal_id}/resume",
    summary: "Makes a stopped goal active again.",
    body: goalResumeBody,
    answer: activationAnswer,
    ask: (app, { ids, body }) =>
      app.goalResume({ goalId: ids.goal_id, reason: body.reason ?? null, dryRun: body.dry_run ?? false }),
  }),
  write({
    path: "/goals/{goal_id}/remove",
    summary: "Takes the goal out of the registry; its files stay.",
    body: goalRemoveBody,
    answer: goalRemoveAnswer,
    ask: (app, { ids, body }) => app.goalRemove({ goalId: ids.goal_id, dryRun: body.dry_run ?? false }),
  }),
  read({
    path: "/history",
    summary: "Recorded runs of all goals, newest first.",
    parameters: ["limit", "cursor"],
    answer: historyAnswer,
    ask: (app, { given }) => app.history({ ...pageOf(given), goalId: null }),
  }),
  write({
    path: "/refresh",
    summary: "Takes in what changed in the files of every goal; records no run.",
    body: refreshAllBody,
    answer: refreshAllAnswer,
    ask: (app, { body }) => app.refreshAll({ dryRun: body.dry_run ?? false }),
  }),
  read({
    path: "/drift",
    summary: "Where execution has left intent, and the repair.",
    parameters: ["goal_id", "limit", "cursor"],
    answer: driftAnswer,
    ask: (app, { given }) => app.drift({ ...pageOf(given), goalId: given.goal_id ?? null, fix: false, dryRun: false }),
  }),
  write({
    path: "/drift/fix",
    summary: "Repairs what is safe to repair, and says what is left.",
    body: driftFixBody,
    answer: driftFixAnswer,
    ask: (app, { body }) => app.drift({ goalId: body.goal_id ?? null, fix: true, dryRun: body.dry_run ?? false }),
  }),
];

function refreshRequest(body: RefreshBody, goalId: GoalId, turnInstanceId: string | null): RefreshRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    agentLane: body.agent_lane ?? null,
    classification: body.classification ?? null,
    recommendedAction: body.recommended_action ?? null,
    nextAction: body.next_action ?? null,
    deliveryOutcome: body.delivery_outcome ?? null,
    deliveryBatchScale: body.delivery_batch_scale ?? null,
    todoId: body.todo_id ?? null,
    turnInstanceId,
    progressScope: body.progress_scope ?? null,
    stateFile: body.state_file ?? null,
    dryRun: body.dry_run ?? false,
  };
}
