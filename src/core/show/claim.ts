/** What `claim` answers: the todo and the lease on it, or why there is none. */

import { loopxCommand } from "../command-line.ts";
import type { Lease, TodoRecord } from "../events.ts";
import { leaseKey } from "../goal/fence.ts";
import type { Decision } from "../next/decision.ts";
import type { Problem } from "../result.ts";
import { type DecisionPayload, decisionPayload } from "./decision.ts";

export interface ClaimFacts {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly todo: TodoRecord | null;
  readonly lease: Lease | null;
  readonly decision: Decision | null;
  readonly dry_run: boolean;
  readonly replay: boolean;
  readonly warnings: readonly Problem[];
}

export interface ClaimPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly claimed: boolean;
  readonly idempotent_replay: boolean;
  readonly dry_run: boolean;
  readonly todo: ShownClaim | null;
  readonly lease: ShownLease | null;
  /** Why there is nothing to claim, and when to ask again. */
  readonly decision: Pick<DecisionPayload, "act" | "why" | "because" | "wait" | "tell" | "token"> | null;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export interface ShownClaim {
  readonly todo_id: string;
  readonly text: string;
  readonly priority: number | null;
  readonly task_class: string | null;
  readonly metadata: TodoRecord["metadata"];
}

export interface ShownLease {
  readonly key: string;
  readonly owner: string;
  readonly epoch: number;
  readonly version: number;
  readonly expires_at: string;
  readonly ttl_seconds: number;
  readonly instance?: string;
}

export function claimPayload(facts: ClaimFacts): ClaimPayload {
  const { goal_id, agent_id, todo, lease, decision, replay, dry_run, warnings } = facts;
  const claimed = todo !== null && lease !== null;
  const shown = decision === null || claimed ? null : decisionPayload(decision, { goal_id, agent_id });
  return {
    ok: true,
    goal_id,
    agent_id,
    claimed,
    idempotent_replay: replay,
    dry_run,
    todo: todo === null || lease === null ? null : shownTodo(todo),
    lease: lease === null ? null : shownLease(goal_id, lease),
    decision: shown === null ? null : withoutTodo(shown),
    then: claimed ? commandsWith(facts, lease, todo) : (shown?.then ?? []),
    warnings,
  };
}

function withoutTodo({ act, why, because, wait, tell, token }: DecisionPayload): NonNullable<ClaimPayload["decision"]> {
  return { act, why, because, wait, tell, token };
}

function shownTodo({ todo_id, text, priority, task_class, metadata }: TodoRecord): ShownClaim {
  return { todo_id, text, priority, task_class, metadata };
}

/** `key` names what is leased, everywhere in the fleet. */
export function shownLease(goalId: string, lease: Lease): ShownLease {
  const { owner, epoch, version, expires_at, ttl_ms, instance } = lease;
  return {
    key: leaseKey(goalId, lease),
    owner,
    epoch,
    version,
    expires_at,
    ttl_seconds: ttl_ms / 1000,
    ...(instance !== undefined && { instance }),
  };
}

function commandsWith({ goal_id, agent_id }: ClaimFacts, { epoch }: Lease, { todo_id }: TodoRecord): readonly string[] {
  const about = ["--goal-id", goal_id, "--agent-id", agent_id, "--todo-id", todo_id, "--lease-epoch", String(epoch)];
  return [
    loopxCommand("done", ...about, "--summary", "…", "--next", "…"),
    loopxCommand("done", ...about, "--summary", "…", "--no-follow-up", "--reason", "…"),
    loopxCommand("lease", "renew", ...about),
  ];
}
