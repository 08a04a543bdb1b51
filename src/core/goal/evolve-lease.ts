/**
 * What happens to leases in the fold.
 *
 * L1  The fencing number of a goal never goes back, whatever ends.
 * L2  `claimed_by` of the todo is the rendering of its lease: it comes with it, and leaves with it unless the work was
 *     completed. What a person had written before comes back, what one wrote meanwhile stays.
 */
import type { GoalEvent, Lease, TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import { type Foldable, setTodo } from "./evolve-todo.ts";
import { leaseOf } from "./fence.ts";
import type { GoalHead } from "./head.ts";
import { ownerOf } from "./todo-traits.ts";

/** False: the event is about something else. */
export function foldLease(state: Foldable, head: GoalHead, event: GoalEvent): boolean {
  switch (event.type) {
    case "lease.taken":
      take(state, head, { lease: event.data, seq: event.seq });
      return true;
    case "lease.moved": {
      const { from: _from, ...lease } = event.data;
      take(state, head, { lease, seq: event.seq });
      return true;
    }
    case "lease.renewed":
      renew(state, head, event);
      return true;
    case "lease.freed":
      free(state, head, event);
      return true;
    default:
      return false;
  }
}

function take(state: Foldable, head: GoalHead, { lease, seq }: { readonly lease: Lease; readonly seq: number }): void {
  const { todo_id, owner, epoch } = lease;
  state.head = {
    ...head,
    plan_seq: seq,
    fence: Math.max(head.fence, epoch), // (L1)
    leases: { ...head.leases, [todo_id]: lease },
  };
  claim(state, todo_id, (todo) => ({ ...todo, metadata: { ...todo.metadata, claimed_by: owner }, lease_epoch: epoch })); // (L2)
}

function renew(state: Foldable, head: GoalHead, event: Extract<GoalEvent, { type: "lease.renewed" }>): void {
  const { todo_id, version, ttl_ms, expires_at } = event.data;
  const lease = leaseOf(head, todo_id);
  const leases =
    lease === null ? head.leases : { ...head.leases, [todo_id]: { ...lease, version, ttl_ms, renewed_at: event.at, expires_at } };
  state.head = { ...head, leases };
}

function free(state: Foldable, head: GoalHead, event: Extract<GoalEvent, { type: "lease.freed" }>): void {
  const { todo_id, reason } = event.data;
  const { [todo_id]: lease, ...leases } = head.leases;
  state.head = { ...head, leases, ...(reason !== "completed" && { plan_seq: event.seq }) };
  if (reason === "completed" || lease === undefined) return;
  claim(state, todo_id, (todo) => {
    if (ownerOf(todo) !== lease.owner) return todo;
    const { claimed_by: _owner, ...metadata } = todo.metadata;
    const before = lease.claimed_before;
    return { ...todo, metadata: before === undefined ? metadata : { ...metadata, claimed_by: before } };
  }); // (L2)
}

function claim(state: Foldable, id: TodoId, change: (todo: TodoRecord) => TodoRecord): void {
  const todo = state.todos.get(id);
  if (todo !== undefined) setTodo(state, change(todo));
}
