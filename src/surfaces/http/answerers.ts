/** One function a route: what was asked becomes a use case, its reply an answer. */
import type { App } from "../../commands/app.ts";
import type { Live } from "../../commands/live.ts";
import type { Scheduler } from "../../commands/scheduler.ts";
import type { Reply } from "../../core/result.ts";
import { printJson } from "../../core/show/print-json.ts";
import type { RouteName } from "../../schema/http/routes.ts";
import { type Answer, momentary, preparedAnswer } from "./answer.ts";
import type { Asked } from "./asked.ts";
import { keptAnswers, type Made } from "./kept-answers.ts";
import { noAnswer } from "./no-answer.ts";
import { prepare } from "./prepared.ts";
import type { StatusPage } from "./status-page.ts";

const PROBE_MS = 1000;

export interface AnswerSources {
  readonly app: Pick<App, "status" | "goalList" | "goalShow" | "history" | "drift">;
  readonly live: Pick<Live, "version" | "look" | "health">;
  readonly page: StatusPage;
  readonly scheduler: Scheduler;
  /** Who serves what: shown by `/` and `/healthz`, so that a client can tell this server from another on its port. */
  readonly identity: () => Readonly<Record<string, unknown>>;
  readonly eventClients: () => number;
  readonly paths: readonly string[];
  readonly statusPath: string;
}

export type AnswererName = Exclude<RouteName, "events" | "openapi">;
export type Answerer = (asked: Asked) => Promise<Answer>;

export function answerers(sources: AnswerSources): Readonly<Record<AnswererName, Answerer>> {
  const { app, page } = sources;
  const keep = keeper(sources.live);
  const status: Answerer = async (asked) => {
    if (Object.keys(asked.given).length === 0) return answerOf(await page.current(), asked);
    const { goal_id: goalId = null, agent_id: agentId = null, fields = [], all = false } = asked.given;
    const request = { ...pageOf(asked), goalId, agentId, fields, all, cacheTtlSeconds: null, clearCache: false };
    return keep("status", asked, () => app.status(request));
  };
  return {
    index: async () => momentary(200, indexOf(sources)),
    status,
    status_json: status,
    goals: (asked) => keep("goals", asked, () => app.goalList({ ...pageOf(asked), all: asked.given.all ?? false })),
    goal: (asked) => keep("goal", asked, () => app.goalShow({ goalId: goalOf(asked) })),
    history: (asked) => keep("history", asked, () => app.history({ ...pageOf(asked), goalId: goalOf(asked) })),
    drift: (asked) => keep("drift", asked, () => app.drift(driftOf(asked))),
    healthz: () => healthOf(sources),
  };
}

function driftOf(asked: Asked): Parameters<App["drift"]>[0] {
  return { ...pageOf(asked), goalId: asked.given.goal_id ?? null, fix: false, dryRun: false };
}

/** Answers of use cases, kept while nothing changed. */
function keeper(live: Pick<Live, "version">): (name: string, asked: Asked, ask: () => Promise<Reply<object>>) => Promise<Answer> {
  const kept = keptAnswers();
  return async (name, asked, ask) => {
    const version = await live.version(asked.goalId ?? asked.given.goal_id ?? null);
    const key = JSON.stringify([name, asked.goalId, Object.entries(asked.given).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    const made = await kept.get(key, version, async () => {
      const reply = await ask();
      return reply.kind === "done" ? prepare(printJson(reply.value)) : reply;
    });
    return answerOf(made, asked);
  };
}

function answerOf(made: Made, { wanted }: Asked): Answer | Promise<Answer> {
  return "kind" in made ? noAnswer(made) : preparedAnswer(made, wanted);
}

function pageOf({ given }: Asked): { readonly limit: number | null; readonly cursor: string | null } {
  return { limit: given.limit ?? null, cursor: given.cursor ?? null };
}

function goalOf({ goalId }: Asked): string {
  if (goalId === null) throw new Error("The route has no goal id.");
  return goalId;
}

function indexOf({ identity, paths, statusPath }: AnswerSources): object {
  return {
    ok: true,
    source: "serve-status",
    ...identity(),
    status_url: statusPath,
    goals_url: "/goals",
    drift_url: "/drift",
    events_url: "/events",
    health_url: "/healthz",
    openapi_url: "/openapi.json",
    routes: paths,
  };
}

/** Looks now, but does not wait long: a store that hangs is what this is asked for. */
async function healthOf({ live, scheduler, identity, eventClients }: AnswerSources): Promise<Answer> {
  const looked = await within(PROBE_MS, live.look(), scheduler);
  const { ok, last_look_ms_ago, error } = live.health();
  const facts = { ...identity(), last_look_ms_ago, event_clients: eventClients() };
  if (ok && looked !== "hangs") return momentary(200, { ok: true, ...facts });
  const { code, message } = error ?? { code: "store_wedged", message: "the store does not answer" };
  return momentary(503, { ok: false, code, message, fix: "loopx doctor", retry: true, ...facts }, { "retry-after": "1" });
}

function within(milliseconds: number, work: Promise<void>, scheduler: Scheduler): Promise<"answers" | "hangs"> {
  return new Promise((resolve) => {
    const cancel = scheduler.after(milliseconds, () => resolve("hangs"));
    const answered = (): void => {
      cancel();
      resolve("answers");
    };
    work.then(answered, answered);
  });
}
