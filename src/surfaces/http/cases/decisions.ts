/** Routes of an agent's turn: what to do, taking a todo, finishing it, and why an answer is what it is. */
import type { ClaimRequest, DoneRequest, NextRequest, WhyRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import { type BadInput, reject } from "../../../core/result.ts";
import {
  claimAnswer,
  diagnosisAnswer,
  doneAnswer,
  nextAnswer,
  whyAnswer,
  whyNotAnswer,
} from "../../../schema/http/decision-answers.ts";
import {
  type ClaimBody,
  claimBody,
  type DoneBody,
  doneBody,
  type NextBody,
  nextBody,
} from "../../../schema/http/decision-bodies.ts";
import type { Given } from "../../../schema/http/parameters.ts";
import { momentOf } from "../moment.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { listed } from "./listed.ts";

const ASKING = ["agent_id", "available_capability", "instance"] as const;

export const DECISION_CASES: readonly UseCase[] = [
  read({
    path: "/next",
    summary: "What an agent may do, in the goal that has most use for it, and why.",
    parameters: [...ASKING, "seen"],
    moves_with: "clock",
    answer: nextAnswer,
    ask: (app, { given }) => app.next({ ...asking(given, null), seen: given.seen ?? null, turnInstanceId: null }),
  }),
  read({
    path: "/goals/{goal_id}/next",
    summary: "What an agent may do in the goal, and why.",
    parameters: [...ASKING, "seen", "at"],
    moves_with: "clock",
    answer: nextAnswer,
    ask: (app, { ids, given }) =>
      app.next({ ...asking(given, ids.goal_id), seen: given.seen ?? null, turnInstanceId: null, ...momentOf(given) }),
  }),
  write({
    path: "/goals/{goal_id}/next",
    summary: "Opens a turn with its answer, which it keeps.",
    body: nextBody,
    answer: nextAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      if (turn.kind !== "done") return turn;
      return turn.value === null ? turnMissing() : await app.next(nextRequest(body, ids.goal_id, turn.value));
    },
  }),
  write({
    path: "/goals/{goal_id}/claim",
    summary: "Selects a todo and leases it, in one step; nothing to claim is an answer.",
    body: claimBody,
    answer: claimAnswer,
    ask: async (app, { ids, body, key }) => {
      const leaseKey = keyed({ field: "idempotency_key", value: body.idempotency_key, key });
      return leaseKey.kind === "done" ? await app.claim(claimRequest(body, ids.goal_id, leaseKey.value)) : leaseKey;
    },
  }),
  write({
    path: "/goals/{goal_id}/done",
    summary: "Finishes a todo: verified, closed, followed up, settled.",
    body: doneBody,
    answer: doneAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      return turn.kind === "done" ? await app.done(doneRequest(body, ids.goal_id, turn.value)) : turn;
    },
  }),
  read({
    path: "/goals/{goal_id}/why",
    summary: "The rule behind the answer of next, and the facts it rests on.",
    parameters: [...ASKING, "at"],
    moves_with: "clock",
    answer: whyAnswer,
    ask: (app, { ids, given }) => app.why({ ...asking(given, ids.goal_id), ...momentOf(given) }),
  }),
  read({
    path: "/goals/{goal_id}/diagnose",
    summary: "The decision as one signal, in the reference's words.",
    parameters: ["agent_id", "available_capability"],
    moves_with: "clock",
    answer: diagnosisAnswer,
    ask: (app, { ids, given }) => app.diagnose(asking(given, ids.goal_id)),
  }),
  read({
    path: "/goals/{goal_id}/todos/{todo_id}/why-not",
    summary: "What keeps an agent from the todo, and what would change it.",
    parameters: [...ASKING, "at"],
    moves_with: "clock",
    answer: whyNotAnswer,
    ask: (app, { ids, given }) => app.whyNot({ ...asking(given, ids.goal_id), todoId: ids.todo_id, ...momentOf(given) }),
  }),
];

function asking(given: Given, goalId: GoalId | null): WhyRequest {
  return {
    goalId,
    agentId: given.agent_id ?? null,
    instance: given.instance ?? null,
    capabilities: given.available_capability ?? [],
  };
}

function turnMissing(): BadInput {
  const message = "opening a turn needs turn_instance_id or Idempotency-Key; a GET asks without opening one";
  return reject("field_missing", message, { problems: [{ path: "turn_instance_id", code: "field_missing", message }] });
}

function nextRequest(body: NextBody, goalId: GoalId, turnInstanceId: string): NextRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    turnInstanceId,
    instance: body.instance ?? null,
    capabilities: listed(body.available_capability),
    seen: body.seen ?? null,
  };
}

function claimRequest(body: ClaimBody, goalId: GoalId, idempotencyKey: string | null): ClaimRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    todoId: body.todo_id ?? null,
    turnInstanceId: body.turn_instance_id ?? null,
    instance: body.instance ?? null,
    ttlSeconds: body.ttl_seconds ?? null,
    capabilities: listed(body.available_capability),
    writeScopes: listed(body.write_scope),
    idempotencyKey,
    dryRun: body.dry_run ?? false,
  };
}

function doneRequest(body: DoneBody, goalId: GoalId, turnInstanceId: string | null): DoneRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    todoId: body.todo_id ?? null,
    summary: body.summary ?? null,
    next: listed(body.next),
    noFollowUp: body.no_follow_up ?? false,
    reason: body.reason ?? null,
    turnInstanceId,
    ...proofAndCost(body),
    noCache: body.no_cache ?? false,
    dryRun: body.dry_run ?? false,
  };
}

type ProofAndCost = Pick<DoneRequest, "leaseEpoch" | "leaseKey" | "leaseVersion" | "slots" | "tokens" | "wallMs">;

function proofAndCost(body: DoneBody): ProofAndCost {
  const seconds = body.wall_seconds ?? null;
  return {
    leaseEpoch: body.lease_epoch ?? null,
    leaseKey: body.task_lease_idempotency_key ?? null,
    leaseVersion: body.task_lease_expected_version ?? null,
    slots: body.slots ?? null,
    tokens: body.tokens ?? null,
    wallMs: seconds === null ? null : Math.round(seconds * 1000),
  };
}
