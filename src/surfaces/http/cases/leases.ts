/** Routes of leases: who holds what, and renewing, handing over and giving back what one holds. */
import type { LeaseAcquireRequest, LeaseChangeRequest } from "../../../commands/app.ts";
import type { GoalId, TodoId } from "../../../core/id.ts";
import { leaseAnswer, leaseChangeAnswer, leasesAnswer } from "../../../schema/http/lease-answers.ts";
import {
  type LeaseAcquireBody,
  type LeaseChangeBody,
  leaseAcquireBody,
  leaseReleaseBody,
  leaseRenewBody,
  leaseTransferBody,
} from "../../../schema/http/lease-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { listed } from "./listed.ts";
import { pageOf } from "./page-of.ts";

export const LEASE_CASES: readonly UseCase[] = [
  read({
    path: "/goals/{goal_id}/leases",
    summary: "The leases of the goal, the one that ends first in front.",
    parameters: ["agent_id", "limit", "cursor"],
    moves_with: "clock",
    answer: leasesAnswer,
    ask: (app, { ids, given }) => app.leaseList({ ...pageOf(given), goalId: ids.goal_id, agentId: given.agent_id ?? null }),
  }),
  read({
    path: "/goals/{goal_id}/todos/{todo_id}/lease",
    summary: "Who holds the todo, and whether that counts.",
    parameters: [],
    moves_with: "clock",
    answer: leaseAnswer,
    ask: (app, { ids }) => app.leaseShow({ goalId: ids.goal_id, todoId: ids.todo_id }),
  }),
  write({
    path: "/goals/{goal_id}/todos/{todo_id}/lease/acquire",
    summary: "Leases the todo under a key.",
    body: leaseAcquireBody,
    answer: leaseChangeAnswer,
    ask: async (app, { ids, body, key }) => {
      const named = keyed({ field: "idempotency_key", value: body.idempotency_key, key });
      return named.kind === "done" ? await app.leaseAcquire({ ...acquisition(body, ids), key: named.value }) : named;
    },
  }),
  write({
    path: "/goals/{goal_id}/todos/{todo_id}/lease/renew",
    summary: "Lets the lease run on from now.",
    body: leaseRenewBody,
    answer: leaseChangeAnswer,
    ask: (app, { ids, body }) => app.leaseRenew({ ...change(body, ids), ttlSeconds: body.ttl_seconds ?? null }),
  }),
  write({
    path: "/goals/{goal_id}/todos/{todo_id}/lease/transfer",
    summary: "Hands the lease over to another agent.",
    body: leaseTransferBody,
    answer: leaseChangeAnswer,
    ask: (app, { ids, body }) => app.leaseTransfer({ ...change(body, ids), to: body.to }),
  }),
  write({
    path: "/goals/{goal_id}/todos/{todo_id}/lease/release",
    summary: "Gives the lease back.",
    body: leaseReleaseBody,
    answer: leaseChangeAnswer,
    ask: (app, { ids, body }) => app.leaseRelease(change(body, ids)),
  }),
];

interface Ids {
  readonly goal_id: GoalId;
  readonly todo_id: TodoId;
}

function acquisition(body: LeaseAcquireBody, ids: Ids): Omit<LeaseAcquireRequest, "key"> {
  return {
    goalId: ids.goal_id,
    agentId: body.agent_id ?? null,
    todoId: ids.todo_id,
    turnInstanceId: body.turn_instance_id ?? null,
    instance: body.instance ?? null,
    ttlSeconds: body.ttl_seconds ?? null,
    capabilities: listed(body.available_capability),
    writeScopes: listed(body.write_scope),
  };
}

function change(body: LeaseChangeBody, ids: Ids): LeaseChangeRequest {
  return {
    goalId: ids.goal_id,
    agentId: body.agent_id ?? null,
    todoId: ids.todo_id,
    turnInstanceId: body.turn_instance_id ?? null,
    leaseEpoch: body.lease_epoch ?? null,
    key: body.idempotency_key ?? null,
    expectedVersion: body.expected_version ?? null,
    dryRun: body.dry_run ?? false,
  };
}
