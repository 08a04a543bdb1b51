/** One function a route that reads: what was asked becomes a use case, its reply an answer. */
import type { App } from "../../commands/app.ts";
import type { Live } from "../../commands/live.ts";
import type { Scheduler } from "../../commands/scheduler.ts";
import type { Reply } from "../../core/result.ts";
import { printJson } from "../../core/show/print-json.ts";
import { ROUTES, type RouteName } from "../../schema/http/routes.ts";
import { type Answer, momentary, preparedAnswer } from "./answer.ts";
import type { Asked } from "./asked.ts";
import { keptAnswers, type Made } from "./kept-answers.ts";
import { momentOf } from "./moment.ts";
import { noAnswer } from "./no-answer.ts";
import { prepare } from "./prepared.ts";
import type { StatusPage } from "./status-page.ts";
import type { UseCase } from "./use-case.ts";

const PROBE_MS = 1000;

export interface AnswerSources {
  readonly app: App;
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
/** `isTrusted`: may know more than whether the server is well. */
export type Answerer = (asked: Asked, isTrusted: boolean) => Promise<Answer>;

export interface Answerers {
  readonly own: Readonly<Record<AnswererName, Answerer>>;
  readonly of: (useCase: UseCase) => Answerer;
}

export function answerers(sources: AnswerSources): Answerers {
  const { app, page } = sources;
  const keep = keeper(sources.live);
  const status: Answerer = async (asked) => {
    if (Object.keys(asked.given).length === 0) return answerOf(await page.current(), asked);
    const {
      goal_id: goalId = null,
      agent_id: agentId = null,
      fields = [],
      all = false,
      limit = null,
      cursor = null,
    } = asked.given;
    const extent = { limit, cursor, fields, all };
    const request = { ...extent, goalId, agentId, cacheTtlSeconds: null, clearCache: false, ...momentOf(asked.given) };
    return keep(ROUTES.status.path, asked, () => app.status(request));
  };
  return {
    own: {
      index: async () => momentary(200, indexOf(sources)),
      status,
      status_json: status,
      healthz: (_, isTrusted) => healthOf(sources, isTrusted),
    },
    of: (useCase) => (asked) => {
      const ask = (): Promise<Reply<object>> => useCase.ask(app, { ...asked, body: null, key: null });
      return useCase.moves_with === "clock" ? freshly(asked, ask) : keep(useCase.path, asked, ask);
    },
  };
}

/** Answers of use cases, kept while nothing changed. */
function keeper(live: Pick<Live, "version">): (name: string, asked: Asked, ask: () => Promise<Reply<object>>) => Promise<Answer> {
  const kept = keptAnswers();
  return async (name, asked, ask) => {
    const version = await live.version(asked.ids.goal_id ?? asked.given.goal_id ?? null);
    const key = JSON.stringify([name, asked.ids, Object.entries(asked.given).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    return answerOf(await kept.get(key, version, () => made(ask)), asked);
  };
}

async function freshly(asked: Asked, ask: () => Promise<Reply<object>>): Promise<Answer> {
  return answerOf(await made(ask), asked);
}

async function made(ask: () => Promise<Reply<object>>): Promise<Made> {
  const reply = await ask();
  return reply.kind === "done" ? prepare(printJson(reply.value)) : reply;
}

function answerOf(answer: Made, { wanted }: Asked): Answer | Promise<Answer> {
  return "kind" in answer ? noAnswer(answer) : preparedAnswer(answer, wanted);
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
async function healthOf(sources: AnswerSources, isTrusted: boolean): Promise<Answer> {
  const { live, scheduler, identity, eventClients } = sources;
  const looked = await within(PROBE_MS, live.look(), scheduler);
  const { ok, last_look_ms_ago, error } = live.health();
  const facts = { ...(isTrusted && identity()), last_look_ms_ago, event_clients: eventClients() };
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
