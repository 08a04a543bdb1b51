/**
 * The reference's `task-lease acquire`: a claim of one todo under a key.
 *
 * Does not own: claiming (`claim.ts`).
 *
 * A1  The same key with the same words gets the lease it got; the key of a lease that is over is not used again.
 */
import { leaseOf } from "../core/goal/fence.ts";
import { parseGoalId, type TodoId } from "../core/id.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import { type LeasePayload, leasePayload } from "../core/show/lease.ts";
import type { LeaseAcquireRequest } from "./app.ts";
import { todoIdFrom } from "./asked-lease.ts";
import { claim } from "./claim.ts";
import { nowFor } from "./goal-clock.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function leaseAcquire(workspace: WritingWorkspace, request: LeaseAcquireRequest): Promise<Reply<LeasePayload>> {
  const todo = todoIdFrom(request.todoId);
  if (todo.kind !== "done") return todo;
  const { key, ...asked } = request;
  const claimed = await claim(workspace, { ...asked, idempotencyKey: key, dryRun: false });
  if (claimed.kind !== "done") return claimed;
  const { goal_id, lease, idempotent_replay, warnings } = claimed.value;
  return await standing(workspace, {
    goal_id,
    todo_id: todo.value,
    epoch: lease?.epoch ?? null,
    idempotent_replay,
    key,
    warnings,
  });
}

interface Acquired {
  readonly goal_id: string;
  readonly todo_id: TodoId;
  readonly epoch: number | null;
  readonly idempotent_replay: boolean;
  readonly key: string | null;
  readonly warnings: LeasePayload["warnings"];
}

async function standing(workspace: WritingWorkspace, acquired: Acquired): Promise<Reply<LeasePayload>> {
  const { todo_id, epoch, idempotent_replay, key, warnings } = acquired;
  const parsed = parseGoalId(acquired.goal_id);
  if (!parsed.ok) throw new Error("a goal that was claimed has an id");
  const goal_id = parsed.id;
  const { head } = await workspace.store.load({ goal_id, todos: "none", base: "none" });
  const now = nowFor(head, workspace.clock.now());
  const lease = head === null ? null : leaseOf(head, todo_id);
  if (lease === null || lease.epoch !== epoch) {
    return refuse("idempotency_key_reuse", `The key ${key ?? ""} is that of a lease which is over; take another.`, {
      details: { todo_id, key, lease_epoch: epoch, current_epoch: lease?.epoch ?? null, holder: lease?.owner ?? null },
    }); // (A1)
  }
  const idempotent = idempotent_replay || (key !== null && lease.key !== key);
  return done(
    leasePayload({ goal_id, todo_id, lease, released: false, idempotent, changed: !idempotent, dry_run: false, now, warnings }),
  );
}
