/** A lease as the reference's `task-lease` prints it: the same facts under its names (decision-plane 2). */
import type { HeldLease, LeasePayload, LeaseShowPayload } from "./lease.ts";

export interface TaskLease {
  readonly schema_version: "task_lease_v0";
  readonly goal_id: string;
  readonly todo_id: string;
  readonly owner: string;
  readonly idempotency_key: string;
  readonly write_scopes: readonly string[];
  readonly acquire_ttl_seconds: number;
  readonly version: number;
  readonly lease_epoch: number;
  readonly acquired_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
  readonly status: "active" | "released";
}

export interface TaskLeasePayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly todo_id: string;
  readonly lease: TaskLease | null;
  readonly active: boolean;
  readonly idempotent: boolean;
  readonly effective?: boolean;
}

export function taskLeasePayload(answer: LeasePayload | LeaseShowPayload): TaskLeasePayload {
  const { goal_id, todo_id, lease, active } = answer;
  return {
    ok: true,
    goal_id,
    todo_id,
    lease: lease === null ? null : taskLease(goal_id, lease),
    active,
    idempotent: "idempotent" in answer ? answer.idempotent : true,
    ...("effective" in answer && { effective: answer.effective }),
  };
}

/** The reference keeps `active` on a lease that ran out, beside the time it did. */
function taskLease(goal_id: string, lease: HeldLease): TaskLease {
  return {
    schema_version: "task_lease_v0",
    goal_id,
    todo_id: lease.todo_id,
    owner: lease.owner,
    idempotency_key: lease.key,
    write_scopes: lease.write_scopes,
    acquire_ttl_seconds: lease.ttl_seconds,
    version: lease.version,
    lease_epoch: lease.epoch,
    acquired_at: lease.taken_at,
    updated_at: lease.renewed_at,
    expires_at: lease.expires_at,
    status: lease.status === "released" ? "released" : "active",
  };
}
