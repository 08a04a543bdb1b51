/** Routes of what proves work, and of looking up what a todo waits for. */
import type { EvidenceAddRequest, EvidenceLogRequest, PollRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import { type Reply, refuse } from "../../../core/result.ts";
import {
  evidenceAddedAnswer,
  evidenceListAnswer,
  evidenceLogAnswer,
  evidenceShowAnswer,
  pollAnswer,
  verifyAnswer,
} from "../../../schema/http/evidence-answers.ts";
import { type EvidenceBody, evidenceBody, type PollBody, pollBody, verifyBody } from "../../../schema/http/evidence-bodies.ts";
import type { Given } from "../../../schema/http/parameters.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { pageOf } from "./page-of.ts";

export const EVIDENCE_CASES: readonly UseCase[] = [
  read({
    path: "/goals/{goal_id}/evidence",
    summary: "Evidence of the goal, newest first.",
    parameters: ["todo_id", "limit", "cursor"],
    answer: evidenceListAnswer,
    ask: (app, { ids, given }) => app.evidenceList({ ...pageOf(given), goalId: ids.goal_id, todoId: given.todo_id ?? null }),
  }),
  read({
    path: "/goals/{goal_id}/evidence/{seq}",
    summary: "One piece of evidence, and what the command printed.",
    parameters: ["with_output"],
    private: true,
    moves_with: "clock", // an output may go with its folder
    answer: evidenceShowAnswer,
    ask: (app, { ids, given }) => app.evidenceShow({ goalId: ids.goal_id, seq: ids.seq, withOutput: given.with_output ?? false }),
  }),
  read({
    path: "/goals/{goal_id}/evidence-log",
    summary: "What one agent did on the goal, newest first, in the reference's words.",
    parameters: ["agent_id", "todo_id", "since", "limit", "thin"],
    answer: evidenceLogAnswer,
    ask: (app, { ids, given }) => app.evidenceLog(logRequest(given, ids.goal_id)),
  }),
  write({
    path: "/goals/{goal_id}/evidence",
    summary: "Records what was seen; it never counts as a check that passed.",
    body: evidenceBody,
    answer: evidenceAddedAnswer,
    ask: async (app, { ids, body, key }) => {
      const named = keyed({ field: "idempotency_key", value: body.idempotency_key, key });
      return named.kind === "done" ? await app.evidenceAdd(evidenceRequest(body, ids.goal_id, named.value)) : named;
    },
  }),
  write({
    path: "/goals/{goal_id}/todos/{todo_id}/verify",
    summary: "Runs the checks of the todo; 422 where one fails.",
    body: verifyBody,
    answer: verifyAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      if (turn.kind !== "done") return turn;
      const { agent_id: agentId = null, lease_epoch: leaseEpoch = null, no_cache, dry_run } = body;
      const about = { goalId: ids.goal_id, todoId: ids.todo_id, agentId, turnInstanceId: turn.value, leaseEpoch };
      return passed(await app.verify({ ...about, noCache: no_cache ?? false, dryRun: dry_run ?? false }));
    },
  }),
  write({
    path: "/poll",
    summary: "Looks up, in all goals, whatever is due.",
    body: pollBody,
    answer: pollAnswer,
    ask: (app, { body }) => app.poll(pollRequest(body, null)),
  }),
  write({
    path: "/goals/{goal_id}/poll",
    summary: "Looks up whatever is due in the goal, or takes what was seen.",
    body: pollBody,
    answer: pollAnswer,
    ask: (app, { ids, body }) => app.poll(pollRequest(body, ids.goal_id)),
  }),
];

/** A check that failed is a no here, with all that the command tells. */
function passed(reply: Reply<VerifyAnswer>): Reply<object> {
  if (reply.kind !== "done" || reply.value.ok) return reply;
  const { code, message } = reply.value;
  return refuse(code ?? "checks_failed", message, { details: { ...reply.value } });
}

interface VerifyAnswer {
  readonly ok: boolean;
  readonly code: string | null;
  readonly message: string;
}

function evidenceRequest(body: EvidenceBody, goalId: GoalId, idempotencyKey: string | null): EvidenceAddRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    todoId: body.todo_id ?? null,
    label: body.label,
    command: body.command ?? null,
    exitCode: body.exit_code ?? null,
    durationSeconds: body.duration_seconds ?? null,
    output: body.output ?? null,
    outputFile: null,
    note: body.note ?? null,
    leaseEpoch: body.lease_epoch ?? null,
    idempotencyKey,
    dryRun: body.dry_run ?? false,
  };
}

function logRequest(given: Given, goalId: GoalId): EvidenceLogRequest {
  const { agent_id: agentId = null, todo_id: todoId = null, since = null, limit = null, thin = false } = given;
  return { goalId, agentId, todoId, since, limit, thin };
}

function pollRequest(body: PollBody, goalId: GoalId | null): PollRequest {
  return {
    goalId,
    agentId: body.agent_id ?? null,
    todoId: body.todo_id ?? null,
    targetKey: body.target_key ?? null,
    resultHash: body.result_hash ?? null,
    materialChange: body.material_change ?? null,
    dryRun: body.dry_run ?? false,
  };
}
