/**
 * The routes over the use cases: every answer that HTTP gives, testable without a socket.
 *
 * Does not own: what is answered (`commands`), when it is current (`commands/live.ts`), sockets and their limits (`listen.ts`).
 *
 * A1  Every request is guarded before it is routed, and every no is JSON with a code.
 * A2  A goal id is decoded once and parsed before anything else is done with it.
 * A3  Only GET, HEAD and OPTIONS do something, and none of them changes intent.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";
import { type Answer, momentary, responseOf, SECURITY } from "./answer.ts";
import { type Answerer, type AnswererName, type AnswerSources, answerers } from "./answerers.ts";
import { type Asked, parseAsked } from "./asked.ts";
import type { EventHub } from "./event-hub.ts";
import { cutOf, factsOf, type HttpEnv } from "./facts.ts";
import { answerThrown, type GateSources, gate } from "./middleware.ts";
import { noAnswer } from "./no-answer.ts";
import { notRouted } from "./not-routed.ts";
import { describeRoutes } from "./openapi.ts";

export interface HttpSources extends Omit<AnswerSources, "paths" | "statusPath" | "eventClients">, GateSources {
  readonly hub: EventHub;
  readonly version: string;
  /** One more path for the status; null: none. */
  readonly alias: string | null;
}

type Served = (asked: Asked, context: Context<HttpEnv>) => Promise<Response>;

export function createHttpApp(sources: HttpSources): OpenAPIHono<HttpEnv> {
  const { hub, alias, log } = sources;
  const http = new OpenAPIHono<HttpEnv>();
  const paths = [...Object.values<RouteSpec>(ROUTES).map((route) => route.path), ...(alias === null ? [] : [alias])];
  const answers = answerers({ ...sources, paths, statusPath: alias ?? ROUTES.status.path, eventClients: () => hub.count() });
  http.use(gate(sources)); // (A1)
  http.onError((error, context) => answerThrown(error, context, log));
  http.notFound((context) => responseOf(notRouted(factsOf(context), paths)));
  for (const [name, answer] of Object.entries(answers) as readonly (readonly [AnswererName, Answerer])[]) {
    route(http, ROUTES[name], async (asked) => responseOf(await answer(asked)));
  }
  if (alias !== null) route(http, { ...ROUTES.status, path: alias }, async (asked) => responseOf(await answers.status(asked)));
  route(http, ROUTES.events, (asked, context) => eventsOf(hub, asked, context));
  describeRoutes(http.openAPIRegistry);
  route(http, ROUTES.openapi, async () => responseOf(describe(http, sources.version)));
  return http;
}

/** A1, A2. */
function route(http: OpenAPIHono<HttpEnv>, spec: RouteSpec, serve: Served): void {
  http.get(spec.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
    const asked = parseAsked(factsOf(context), spec);
    return asked.kind === "done" ? serve(asked.value, context) : responseOf(noAnswer(asked));
  });
}

async function eventsOf(hub: EventHub, { after }: Asked, context: Context<HttpEnv>): Promise<Response> {
  const headers = {
    ...SECURITY,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    vary: "Origin",
  };
  const isHead = context.req.raw.method === "HEAD";
  return new Response(isHead ? null : await hub.connect(after, cutOf(context)), { headers });
}

function describe(http: OpenAPIHono<HttpEnv>, version: string): Answer {
  const info = { title: "LoopX", version, description: "Reads of one LoopX runtime root, for programs on this machine." };
  return momentary(200, http.getOpenAPI31Document({ openapi: "3.1.0", info }));
}
