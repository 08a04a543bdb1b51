/** Routes that change what the registry says about a goal's quota and agents. */
import type { QuotaSetRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import type { LimitKey } from "../../../core/registry/quota-settings.ts";
import { agentsAnswer, quotaAnswer } from "../../../schema/http/quota-answers.ts";
import { agentsBody, type QuotaBody, quotaBody } from "../../../schema/http/quota-bodies.ts";
import { type UseCase, write } from "../use-case.ts";
import { listed } from "./listed.ts";

export const SETTING_CASES: readonly UseCase[] = [
  write({
    path: "/goals/{goal_id}/quota",
    summary: "Sets quota and limits of the goal.",
    body: quotaBody,
    answer: quotaAnswer,
    ask: (app, { ids, body }) => app.quotaSet(quotaRequest(body, ids.goal_id)),
  }),
  write({
    path: "/goals/{goal_id}/agents",
    summary: "Registers agents of the goal.",
    body: agentsBody,
    answer: agentsAnswer,
    ask: (app, { ids, body }) =>
      app.agentAdd({
        goalId: ids.goal_id,
        agentIds: listed(body.agent_id),
        requireNew: body.require_new ?? false,
        dryRun: body.dry_run ?? false,
      }),
  }),
];

function quotaRequest(body: QuotaBody, goalId: GoalId): QuotaSetRequest {
  return {
    goalId,
    profile: body.profile ?? null,
    compute: body.compute ?? null,
    windowHours: body.window_hours ?? null,
    slotMinutes: body.slot_minutes ?? null,
    allowedSlots: body.allowed_slots ?? null,
    tokens: body.tokens ?? null,
    wallMinutes: body.wall_minutes ?? null,
    limits: limitsOf(body),
    dryRun: body.dry_run ?? false,
  };
}

const LIMITS = {
  max_open_todos: "limit_open_todos",
  max_running_tasks: "limit_running_tasks",
  max_runtime_bytes: "limit_runtime_bytes",
  max_event_bytes: "limit_event_bytes",
  max_cache_entries: "limit_cache_entries",
  max_cache_bytes: "limit_cache_bytes",
} as const satisfies Readonly<Record<LimitKey, keyof QuotaBody>>;

function limitsOf(body: QuotaBody): QuotaSetRequest["limits"] {
  const given = Object.entries(LIMITS).map(([key, field]) => [key, body[field] ?? null] as const);
  return Object.fromEntries(given.filter(([, limit]) => limit !== null));
}
