/** What every request goes through before and after its route: the guards, the token, the preflight, the log. */
import type { Context, MiddlewareHandler } from "hono";
import { Fault } from "../../errors.ts";
import type { Log } from "../../ports/system.ts";
import { ROUTES } from "../../schema/http/routes.ts";
import type { Access } from "./access.ts";
import { type Answer, responseOf, SECURITY } from "./answer.ts";
import { factsOf, type HttpEnv } from "./facts.ts";
import { corsHeaders, guard, mayWrite, type RequestFacts } from "./guard.ts";
import type { Names } from "./hosts.ts";
import { noAnswer, thrownAnswer } from "./no-answer.ts";
import { methodsAt, type Offered } from "./not-routed.ts";
import { parseTarget } from "./target.ts";

export interface GateSources {
  readonly log: Log;
  readonly elapsed: () => number;
  /** Known once the port is. */
  readonly names: () => Names;
  readonly access: Access;
}

export function gate(sources: GateSources, routes: readonly Offered[]): MiddlewareHandler<HttpEnv> {
  const { log, elapsed } = sources;
  return async (context, next) => {
    const started = elapsed();
    const facts = factsOf(context);
    const names = sources.names();
    const early = answerEarly(facts, { names, access: sources.access, routes });
    if (early === null) await next();
    else context.res = responseOf(early);
    for (const [name, value] of Object.entries(corsHeaders(facts.header("origin"), names))) context.res.headers.set(name, value);
    logRequest(log, facts, { status: context.res.status, ms: elapsed() - started });
  };
}

interface Grounds {
  readonly names: Names;
  readonly access: Access;
  readonly routes: readonly Offered[];
}

function answerEarly(facts: RequestFacts, { names, access, routes }: Grounds): Answer | null {
  const no = guard(facts, names);
  if (no !== null) return noAnswer(no, { connection: "close" }); // What else it sends is not waited for.
  if (facts.method === "OPTIONS") return preflight(facts, names, methodsAt(facts.target, routes));
  const barred = isClosed(facts, access) ? access.bar(facts) : null;
  return barred === null ? null : noAnswer(barred, { connection: "close" });
}

/** By the path as it was sent: one that is only resolved to `/healthz` is not it. */
function isClosed({ target }: RequestFacts, { reads }: Access): boolean {
  return reads === "with_token" && parseTarget(target).path !== ROUTES.healthz.path;
}

const READ_METHODS = ["GET", "HEAD", "OPTIONS"];
const READ_HEADERS = ["Authorization", "If-None-Match", "Last-Event-ID"];
const WRITE_HEADERS = ["Content-Type", "Idempotency-Key"];

/** A page that may not write is not told that anybody may. */
function preflight({ header }: RequestFacts, names: Names, offered: readonly string[]): Answer {
  const origin = header("origin");
  const methods = offered.length === 0 ? READ_METHODS : offered;
  const writes = origin !== undefined && mayWrite(origin, names);
  const headers = {
    ...SECURITY,
    allow: methods.join(", "),
    vary: "Origin",
    ...(origin !== undefined && {
      "access-control-allow-methods": methods.filter((method) => writes || READ_METHODS.includes(method)).join(", "),
      "access-control-allow-headers": [...READ_HEADERS, ...(writes ? WRITE_HEADERS : [])].join(", "),
      "access-control-max-age": "600",
    }),
  };
  return { status: 204, headers, body: null };
}

/** The path without its query: a cursor or an id in it is nobody's business later. */
function logRequest(
  log: Log,
  { method, target }: RequestFacts,
  { status, ms }: { readonly status: number; readonly ms: number },
): void {
  log.write("debug", "http.request", {
    method,
    path: parseTarget(target).path.slice(0, 200),
    status,
    ms: Math.round(ms * 10) / 10,
  });
}

/** The one catch of the routes. */
export function answerThrown(error: unknown, context: Context<HttpEnv>, log: Log): Response {
  const { method, target } = factsOf(context);
  const cause = error instanceof Fault ? { code: error.code } : { stack: error instanceof Error ? error.stack : String(error) };
  log.write(error instanceof Fault ? "warn" : "error", "http.failed", {
    method,
    path: parseTarget(target).path.slice(0, 200),
    ...cause,
  });
  return responseOf(thrownAnswer(error));
}
