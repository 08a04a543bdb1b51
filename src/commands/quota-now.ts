/** How the quota of a goal stands at this moment, read. */
import type { GoalHead } from "../core/goal/head.ts";
import { NOTHING_USED } from "../core/quota/room.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import { type ShownLimits, type ShownQuota, shownLimits, shownQuota } from "../core/show/quota.ts";
import { nowFor } from "./goal-clock.ts";
import { spendQuery } from "./read-decision.ts";
import type { Workspace } from "./workspace.ts";

export interface QuotaNow {
  readonly quota: ShownQuota;
  readonly limits: ShownLimits;
}

/** Null: what is declared cannot be understood. `folded`: the head with what people changed, where that was read. */
export async function quotaNow(
  { store, clock }: Pick<Workspace, "store" | "clock">,
  goal: DeclaredGoal,
  folded?: GoalHead | null,
): Promise<QuotaNow | null> {
  const { goal_id, quota } = goal;
  const wall = clock.now();
  const spend = spendQuery(goal, wall);
  if (quota.kind === "invalid" || spend === null) return null;
  const { head: stored, spend: use } = await store.load({ goal_id, todos: "none", base: "none", spend });
  const head = folded === undefined ? stored : folded;
  const now = nowFor(head, wall);
  const leases = Object.values(head?.leases ?? {});
  return {
    quota: shownQuota(quota.settings, { ...(use ?? NOTHING_USED), leases, now }),
    limits: shownLimits(quota.settings, head, now),
  };
}
