/** The routes over a small world, without a socket; `app` notes what it was asked. */
import type { App } from "../../commands/app.ts";
import { type SampleWorld, sampleWorld } from "../../commands/live.sample.ts";
import { type Live, startLive } from "../../commands/live.ts";
import { type HandScheduler, handScheduler } from "../../commands/scheduler.sample.ts";
import { done, type Reply, reject } from "../../core/result.ts";
import { noAnswer } from "../../schema/http/answers.ts";
import type { RouteSpec } from "../../schema/http/routes.ts";
import { accessWith, type Reads } from "./access.ts";
import { JSON_TYPE } from "./answer.ts";
import { createHttpApp } from "./app.ts";
import { type EventHub, eventHub } from "./event-hub.ts";
import { type BoundAddress, namesOf } from "./hosts.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { statusPage } from "./status-page.ts";
import { matchPath, parseTarget } from "./target.ts";
import { isWrite } from "./use-case.ts";
import { EVERY_ROUTE } from "./use-cases.ts";

export interface Asking {
  readonly use_case: string;
  readonly request: unknown;
}

export interface SampleApp {
  readonly app: App;
  readonly asked: Asking[];
  /** Instead of the answer, while it is set. */
  instead: (() => Reply<object>) | null;
}

const RUN = { generated_at: "2026-03-10T08:00:00+00:00", classification: "state_refreshed", recommended_action: "Go on." };
const DRIFT = {
  goal_id: "alpha",
  kind: "foreign_writer",
  severity: "info",
  declared: "a",
  observed: "b",
  since: "2026-03-10T08:00:00.000Z",
  fix: { person: "Look." },
};

const FIXED = { goal_id: "alpha", kind: "artifacts_missing", outcome: "fixed", message: "write it again" };
const EDITED = { ok: true, changed: true, dry_run: false, registry: "/p/.loopx/registry.json", warnings: [] };

interface Named {
  readonly goalId: string;
}

const WRITES = {
  goalAdd: ({ goalId }: Named) =>
    done({ ...EDITED, goal_id: goalId, runtime_root: "/r", state_file: "/s.md", state_action: "created", next_commands: [] }),
  goalStop: ({ goalId }: Named) =>
    isKnown(goalId)
      ? done({ ...EDITED, goal_id: goalId, before: "active", activation: "stopped", reason: null })
      : unknownGoal(goalId),
  goalResume: ({ goalId }: Named) =>
    isKnown(goalId)
      ? done({ ...EDITED, goal_id: goalId, before: "stopped", activation: "active", reason: null })
      : unknownGoal(goalId),
  refresh: ({ goalId }: Named) =>
    isKnown(goalId)
      ? done({
          ...EDITED,
          ...RUN,
          appended: true,
          idempotent_replay: false,
          runtime_root: "/r",
          goal_id: goalId,
          agent_id: null,
          json_path: null,
        })
      : unknownGoal(goalId),
};

/** Knows the goals `alpha`, `beta` and any that holds a letter beyond ASCII. */
export function sampleApp(status: () => Promise<Reply<object>>): SampleApp {
  const answers: Readonly<Record<string, (request: never) => Promise<Reply<object>> | Reply<object>>> = {
    status,
    goalList: () => done({ ok: true, goals: [{ goal_id: "alpha" }, { goal_id: "beta" }], left_out: null }),
    goalShow: ({ goalId }: { readonly goalId: string }) =>
      isKnown(goalId) ? done({ ok: true, goal_id: goalId, objective: "o" }) : unknownGoal(goalId),
    history: ({ goalId }: { readonly goalId: string }) =>
      isKnown(goalId) ? done({ ok: true, runs: [RUN] }) : unknownGoal(goalId),
    drift: ({ fix, dryRun }: { readonly fix: boolean; readonly dryRun: boolean }) =>
      done({ ok: true, drift: [DRIFT], ...(fix && { fixed: [FIXED], dry_run: dryRun }) }),
    ...WRITES,
  };
  const sample: SampleApp = {
    asked: [],
    instead: null,
    app: new Proxy({} as App, {
      get: (_, name) => async (request: never) => {
        sample.asked.push({ use_case: String(name), request });
        if (sample.instead !== null) return sample.instead();
        const answer = answers[String(name)];
        if (answer === undefined) throw new Error(`${String(name)} has no answer here`);
        return answer(request);
      },
    }),
  };
  return sample;
}

function isKnown(goalId: string): boolean {
  return ["alpha", "beta"].includes(goalId) || /[^\x20-\x7e]/.test(goalId);
}

function unknownGoal(goalId: string): Reply<object> {
  return reject("unknown_goal", `there is no goal "${goalId}"`, { near: ["alpha"], fix: "loopx goal list" });
}

export interface SampleHttp {
  readonly world: SampleWorld;
  readonly sample: SampleApp;
  readonly scheduler: HandScheduler;
  readonly live: Live;
  readonly hub: EventHub;
  readonly logged: object[];
  ask(target: string, init?: AskInit): Promise<Response>;
  /** A write as a client sends it. */
  post(target: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

interface AskInit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

interface SampleGiven {
  readonly alias?: string;
  readonly limits?: Partial<Limits>;
  readonly token?: string | null;
  readonly reads?: Reads;
  readonly bound?: Partial<BoundAddress>;
  readonly allowHosts?: readonly string[];
  /** Instead of the sample's. */
  readonly app?: App;
}

export const TOKEN = "t0ken-of-the-sample-server-000000000000000A";
export const WITH_TOKEN: Readonly<Record<string, string>> = { authorization: `Bearer ${TOKEN}` };

/** The route that a target is on. */
export function routeOf(target: string, method: "GET" | "POST" = "GET"): RouteSpec {
  const { path } = parseTarget(target);
  const found = EVERY_ROUTE.find((route) => isWrite(route) === (method === "POST") && matchPath(route.path, path) !== null);
  if (found === undefined) throw new Error(`${method} ${target} is on no route.`);
  return found;
}

export async function sampleHttp(given: SampleGiven = {}): Promise<SampleHttp> {
  const scheduler = handScheduler();
  const world = sampleWorld(scheduler);
  const logged: object[] = [];
  const log = { write: (level: string, event: string, facts?: object) => void logged.push({ level, event, ...facts }) };
  const live = await startLive({ ...world.sources, log });
  const sample = sampleApp(() => world.status());
  const page = statusPage(live);
  const hub = eventHub({ live, page, scheduler, limits: { ...LIMITS, ...given.limits } });
  const http = createHttpApp({
    app: given.app ?? sample.app,
    live,
    page,
    hub,
    scheduler,
    log,
    elapsed: scheduler.elapsed,
    names: () => namesOf({ host: "127.0.0.1", port: 8765, ...given.bound }, given.allowHosts),
    access: accessWith(given.token === undefined ? TOKEN : given.token, given.reads ?? "open"),
    identity: () => ({ version: "1.2.3", pid: 42 }),
    version: "1.2.3",
    alias: given.alias ?? null,
  });
  const ask: SampleHttp["ask"] = async (target, { method = "GET", headers = {}, body } = {}) => {
    const init = {
      method,
      headers: { host: "127.0.0.1:8765", ...headers },
      ...(body !== undefined && { body, duplex: "half" as const }),
    };
    return http.request(`http://127.0.0.1:8765${target}`, init);
  };
  const post: SampleHttp["post"] = (target, body, headers = {}) => {
    const all = { "content-type": "application/json", ...WITH_TOKEN, ...headers };
    return ask(target, { method: "POST", headers: all, body: typeof body === "string" ? body : JSON.stringify(body) });
  };
  return { world, sample, scheduler, live, hub, logged, ask, post };
}

/** The body of a no; throws when it is not one. */
export async function noOf(response: Response): Promise<{ readonly code: string; readonly near?: readonly string[] }> {
  if (response.headers.get("content-type") !== JSON_TYPE) throw new Error(`${response.status} is no JSON`);
  return noAnswer.parse(await response.json()) as { readonly code: string; readonly near?: readonly string[] };
}

/** Reads an event stream frame by frame. */
export function frames(response: Response): { next(): Promise<string>; cancel(): Promise<void> } {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          return frame;
        }
        const { done: ended, value } = await reader.read();
        if (ended) return "(end)";
        text += decoder.decode(value, { stream: true });
      }
    },
    cancel: () => reader.cancel(),
  };
}
