/** The payload of `goal show`: everything that is known of one goal, whole. */
import { driftOf } from "../drift/drift-of.ts";
import type { StandingConflict } from "../goal/head.ts";
import type { Instant } from "../instant.ts";
import type { AttentionItem } from "./attention.ts";
import { attentionOf } from "./attention.ts";
import type { ShownLimits, ShownQuota } from "./quota.ts";
import type { StatusGoal } from "./status-goal.ts";
import { wholeRow } from "./status-goal.ts";
import type { GoalView, Withheld } from "./view.ts";

export interface GoalShowPayload {
  readonly ok: true;
  readonly registry: string;
  readonly runtime_root: string;
  readonly goal: StatusGoal & {
    readonly objective: string;
    readonly domain: string | null;
    readonly declared_status: string | null;
    readonly registered_agents: readonly string[];
    readonly cadence_ms: number | null;
    readonly next_action_entries: readonly string[];
    readonly conflicts: readonly StandingConflict[];
    readonly withheld: readonly Withheld[];
    /** Null: not declared, or not to be understood. */
    readonly quota: ShownQuota | null;
    readonly limits: ShownLimits | null;
  };
  readonly attention: AttentionItem | null;
}

export interface GoalShowInput {
  readonly registry: string;
  readonly runtime_root: string;
  readonly view: GoalView;
  readonly now: Instant;
  readonly spending?: { readonly quota: ShownQuota; readonly limits: ShownLimits } | null;
}

export function buildGoalShow({ registry, runtime_root, view, now, spending = null }: GoalShowInput): GoalShowPayload {
  const drift = driftOf(view, now);
  const { objective, domain, declared_status, registered_agents, cadence_ms, conflicts, withheld } = view;
  const goal = {
    ...wholeRow({ view, drift, now }),
    objective,
    domain,
    declared_status,
    registered_agents,
    cadence_ms,
    next_action_entries: view.next_action?.entries ?? [],
    conflicts,
    withheld,
    quota: spending?.quota ?? null,
    limits: spending?.limits ?? null,
  };
  return { ok: true, registry, runtime_root, goal, attention: attentionOf(view, { drift, now }) };
}
