/** What every request goes through before and after its route: the guards, the preflight, the log. */
import type { Context, MiddlewareHandler } from "hono";
import { Fault } from "../../errors.ts";
import type { Log } from "../../ports/system.ts";
import { type Answer, responseOf, SECURITY } from "./answer.ts";
import { factsOf, type HttpEnv } from "./facts.ts";
import { corsHeaders, guard, type RequestFacts } from "./guard.ts";
import { noAnswer, thrownAnswer } from "./no-answer.ts";
import { ALLOWED } from "./not-routed.ts";
import { parseTarget } from "./target.ts";

export interface GateSources {
  readonly log: Log;
  readonly elapsed: () => number;
  /** Every `Host` that is answered to; known once the port is. */
  readonly hosts: () => ReadonlySet<string>;
}

export function gate({ log, elapsed, hosts }: GateSources): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const started = elapsed();
    const facts = factsOf(context);
    const early = answerEarly(facts, hosts());
    if (early === null) await next();
    else context.res = responseOf(early);
    for (const [name, value] of Object.entries(corsHeaders(facts.header("origin")))) context.res.headers.set(name, value);
    logRequest(log, facts, { status: context.res.status, ms: elapsed() - started });
  };
}

function answerEarly(facts: RequestFacts, hosts: ReadonlySet<string>): Answer | null {
  const no = guard(facts, hosts);
  if (no !== null) return noAnswer(no, { connection: "close" }); // What else it sends is not waited for.
  return facts.method === "OPTIONS" ? preflight(facts) : null;
}

function preflight(facts: RequestFacts): Answer {
  const headers = {
    ...SECURITY,
    allow: ALLOWED,
    vary: "Origin",
    ...(facts.header("origin") !== undefined && {
      "access-control-allow-methods": ALLOWED,
      "access-control-allow-headers": "If-None-Match, Last-Event-ID",
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
