/** One agent's question at one moment, as the rules and conditions look at it. */
import type { Lease, TodoRecord } from "../events.ts";
import { leaseOf } from "../goal/fence.ts";
import type { Instant } from "../instant.ts";
import type { DecisionRequest, DecisionState } from "./decision.ts";

export interface Situation {
  readonly state: DecisionState;
  readonly request: DecisionRequest;
  readonly now: Instant;
  /** The first todo in ready order that the agent can do, of those it has claimed before those of nobody. */
  readonly work: TodoRecord | null;
  /** The todo of the agent's own lease, live or run out and not taken over. */
  readonly mine: { readonly lease: Lease; readonly todo: TodoRecord } | null;
}

/** Somebody else's lease that keeps the todo from the agent; null: none does. */
export function rivalLease({ state, request, now }: Situation, todoId: string): Lease | null {
  const lease = state.head === null ? null : leaseOf(state.head, todoId);
  if (lease === null || lease.expires_at <= now) return null;
  const sameInstance = request.instance === null || lease.instance === undefined || lease.instance === request.instance;
  return lease.owner === request.agent && sameInstance ? null : lease;
}
