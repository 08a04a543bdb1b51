/** Routes of what is spent: how quota stands, spending and taking back, and waiting for a time. */
import type { SpendSlotRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import {
  goalQuotaAnswer,
  quotaPlanAnswer,
  quotaStatusAnswer,
  shouldRunAnswer,
  spendAnswer,
  voidAnswer,
  waitAnswer,
} from "../../../schema/http/quota-answers.ts";
import { holdBody, type SpendBody, spendBody, unholdBody, voidBody } from "../../../schema/http/quota-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { pageOf } from "./page-of.ts";

export const QUOTA_CASES: readonly UseCase[] = [
  read({
    path: "/quota",
    summary: "How the quota of the goals stands, and whose turn is next.",
    parameters: ["limit", "cursor"],
    moves_with: "clock",
    answer: quotaStatusAnswer,
    ask: (app, { given }) => app.quotaStatus({ ...pageOf(given), goalId: null }),
  }),
  read({
    path: "/quota/plan",
    summary: "The goal that should run next, and those behind it.",
    parameters: [],
    moves_with: "clock",
    answer: quotaPlanAnswer,
    ask: (app) => app.quotaPlan(),
  }),
  read({
    path: "/goals/{goal_id}/quota",
    summary: "What the goal has used of what it may spend and hold.",
    parameters: [],
    moves_with: "clock",
    answer: goalQuotaAnswer,
    ask: (app, { ids }) => app.quotaStatus({ goalId: ids.goal_id, limit: null, cursor: null }),
  }),
  read({
    path: "/goals/{goal_id}/quota/should-run",
    summary: "The answer of next in the reference's words.",
    parameters: ["agent_id", "available_capability"],
    moves_with: "clock",
    answer: shouldRunAnswer,
    ask: (app, { ids, given }) =>
      app.shouldRun({
        goalId: ids.goal_id,
        agentId: given.agent_id ?? null,
        turnInstanceId: null,
        capabilities: given.available_capability ?? [],
        runtimeProfile: null,
        detail: false,
      }),
  }),
  write({
    path: "/goals/{goal_id}/quota/spend-slot",
    summary: "Settles what a written turn took.",
    body: spendBody,
    answer: spendAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      return turn.kind === "done" ? await app.quotaSpendSlot(spendRequest(body, ids.goal_id, turn.value)) : turn;
    },
  }),
  write({
    path: "/goals/{goal_id}/quota/void-slot",
    summary: "Takes a spend back.",
    body: voidBody,
    answer: voidAnswer,
    ask: (app, { ids, body }) =>
      app.quotaVoidSlot({
        goalId: ids.goal_id,
        voidSeq: body.void_seq ?? null,
        voidGeneratedAt: body.void_generated_at ?? null,
        reason: body.reason_summary,
        dryRun: body.dry_run ?? false,
      }),
  }),
  write({
    path: "/goals/{goal_id}/quota/hold",
    summary: "Lets an agent wait for a time.",
    body: holdBody,
    answer: waitAnswer,
    ask: (app, { ids, body }) => {
      const { agent_id: agentId = null, until = null, minutes = null, reason = null, dry_run } = body;
      return app.quotaHold({ goalId: ids.goal_id, agentId, until, minutes, reason, dryRun: dry_run ?? false });
    },
  }),
  write({
    path: "/goals/{goal_id}/quota/resume",
    summary: "Ends the wait of an agent.",
    body: unholdBody,
    answer: waitAnswer,
    ask: (app, { ids, body }) => {
      const { agent_id: agentId = null, reason = null, dry_run } = body;
      return app.quotaResume({ goalId: ids.goal_id, agentId, reason, dryRun: dry_run ?? false });
    },
  }),
];

function spendRequest(body: SpendBody, goalId: GoalId, turnInstanceId: string | null): SpendSlotRequest {
  const seconds = body.wall_seconds ?? null;
  return {
    goalId,
    agentId: body.agent_id ?? null,
    todoId: body.todo_id ?? null,
    turnInstanceId,
    slots: body.slots ?? null,
    tokens: body.tokens ?? null,
    wallMs: seconds === null ? null : Math.round(seconds * 1000),
    source: body.source ?? "heartbeat",
    dryRun: body.dry_run ?? false,
  };
}
