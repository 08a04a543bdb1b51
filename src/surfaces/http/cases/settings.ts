/** Routes that change what the registry says about a goal's quota and agents. */
import type { ConfigureGoalRequest, QuotaSetRequest } from "../../../commands/app.ts";
import type { GoalId } from "../../../core/id.ts";
import type { LimitKey } from "../../../core/registry/quota-settings.ts";
import { type BadInput, done, type Reply, reject } from "../../../core/result.ts";
import { configuredAnswer, quotaAnswer } from "../../../schema/http/quota-answers.ts";
import { agentsBody, type ConfigureBody, configureBody, type QuotaBody, quotaBody } from "../../../schema/http/quota-bodies.ts";
import { type UseCase, write } from "../use-case.ts";
import { listed } from "./listed.ts";

export const SETTING_CASES: readonly UseCase[] = [
  write({
    path: "/quota",
    summary: "Sets quota and limits that hold for every goal of the registry.",
    body: quotaBody,
    answer: quotaAnswer,
    ask: (app, { body }) => app.quotaSet(quotaRequest(body, null)),
  }),
  write({
    path: "/goals/{goal_id}/configure",
    summary: "Changes settings of the goal; without any it shows them.",
    body: configureBody,
    answer: configuredAnswer,
    ask: async (app, { ids, body }) => {
      const request = configureRequest(body, ids.goal_id);
      return request.kind === "done" ? await app.configureGoal(request.value) : request;
    },
  }),
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
    answer: configuredAnswer,
    ask: (app, { ids, body }) =>
      app.agentAdd({
        goalId: ids.goal_id,
        agentIds: listed(body.agent_id),
        requireNew: body.require_new ?? false,
        dryRun: body.dry_run ?? false,
      }),
  }),
];

function quotaRequest(body: QuotaBody, goalId: GoalId | null): QuotaSetRequest {
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

function configureRequest(body: ConfigureBody, goalId: GoalId): Reply<ConfigureGoalRequest> {
  const writeScope = scopeOf(body);
  if (writeScope.kind !== "done") return writeScope;
  const waitingOn = waitingOf(body);
  if (waitingOn.kind !== "done") return waitingOn;
  return done({
    goalId,
    quotaCompute: body.quota_compute ?? null,
    quotaWindowHours: body.quota_window_hours ?? null,
    writeScope: writeScope.value,
    waitingOn: waitingOn.value,
    agentWorkModes: listed(body.agent_work_mode),
    dryRun: body.dry_run ?? false,
  });
}

function scopeOf(body: ConfigureBody): Reply<ConfigureGoalRequest["writeScope"]> {
  const items = listed(body.write_scope);
  const [replaces, clears] = [body.replace_write_scope === true, body.clear_write_scope === true];
  if (clears && items.length > 0) return conflict("clear_write_scope", "leaves no scope and write_scope names one");
  if (replaces && items.length === 0) return conflict("replace_write_scope", "needs write_scope; no scope is clear_write_scope");
  if (items.length === 0 && !clears) return done(null);
  return done({ mode: replaces || clears ? "replace" : "add", items });
}

function waitingOf(body: ConfigureBody): Reply<ConfigureGoalRequest["waitingOn"]> {
  const value = body.waiting_on ?? null;
  if (body.clear_waiting_on !== true) return done(value === null ? null : { kind: "set", value });
  return value === null ? done({ kind: "clear" }) : conflict("clear_waiting_on", "names nobody and waiting_on names somebody");
}

function conflict(field: string, words: string): BadInput {
  const message = `${field} ${words}`;
  return reject("invalid_field", message, { problems: [{ path: field, code: "invalid_field", message }] });
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
