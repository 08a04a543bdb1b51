/**
 * `quota status` and `quota plan`, read and nothing written.
 *
 * Does not own: the decision about each goal (`core/next`), the words for it (`core/show/quota-status.ts`).
 *
 * S1  `quota status` costs the goals of its page; `quota plan` asks at most so many and says how many.
 * S2  A goal is judged for nobody in particular: what any of its agents could do counts.
 */
import { done, type Reply } from "../core/result.ts";
import { parseCursor } from "../core/show/paging.ts";
import {
  type GoalQuotaFacts,
  type GoalQuotaPayload,
  goalQuotaPayload,
  goalQuotaRow,
  type QuotaPlanPayload,
  type QuotaStatusPayload,
  quotaPlanPayload,
  quotaStatusPayload,
} from "../core/show/quota-status.ts";
import type { NextRequest, QuotaStatusRequest } from "./app.ts";
import { decidedFor } from "./decide-for.ts";
import { everyGoal, findRegistered, type RegisteredGoal, type RegistryRows, registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

const PAGE_ROWS = 40;
const MOST_GOALS = 500;
const NOTHING = { slots: 0, tokens: 0, wall_ms: 0 };

export async function quotaStatus(
  workspace: Workspace,
  { goalId, limit, cursor }: QuotaStatusRequest,
): Promise<Reply<GoalQuotaPayload | QuotaStatusPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  if (goalId !== null) {
    const found = await findRegistered(rows.value, goalId);
    return found.kind === "done" ? done(goalQuotaPayload(await factsOf(workspace, rows.value, found.value))) : found;
  }
  const from = cursor === null ? done(null) : parseCursor(cursor, ["goals"]);
  if (from.kind !== "done") return from;
  const goals = await rows.value.page(from.value?.after ?? null, limit ?? PAGE_ROWS);
  const facts: GoalQuotaFacts[] = [];
  for (const registered of goals) facts.push(await factsOf(workspace, rows.value, registered));
  const page = { goal_count: rows.value.goal_count, seen: from.value?.seen ?? 0, rows: facts.map(goalQuotaRow), limit };
  return done(quotaStatusPayload(page));
}

export async function quotaPlan(workspace: Workspace): Promise<Reply<QuotaPlanPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const facts: GoalQuotaFacts[] = [];
  for await (const registered of everyGoal(rows.value)) {
    if (facts.length >= MOST_GOALS) break; // (S1)
    facts.push(await factsOf(workspace, rows.value, registered));
  }
  return done(quotaPlanPayload(rows.value.goal_count, facts.map(goalQuotaRow)));
}

/** (S2) */
const NOBODY: NextRequest = {
  goalId: null,
  agentId: null,
  turnInstanceId: null,
  instance: null,
  capabilities: [],
  seen: null,
};

async function factsOf(workspace: Workspace, rows: RegistryRows, registered: RegisteredGoal): Promise<GoalQuotaFacts> {
  const { goal } = registered;
  const { decision, state, spend, now } = await decidedFor(workspace, rows, { registered, agent: null, request: NOBODY });
  const set = goal.quota.kind === "set";
  return {
    goal_id: goal.goal_id,
    why: decision.why,
    because: decision.because,
    settings: goal.quota.kind === "set" ? goal.quota.settings : null,
    problems: goal.quota.kind === "set" ? [] : goal.quota.problems.map(({ code, message }) => ({ code, message })),
    spent: spend?.units ?? NOTHING,
    head: state.head,
    next_eligible_at: set ? (decision.quota?.next_eligible_at ?? null) : null,
    now,
  };
}
