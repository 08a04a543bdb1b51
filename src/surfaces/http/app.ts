/**
 * The routes over the use cases: every answer that HTTP gives, testable without a socket.
 *
 * Does not own: what is answered (`commands`), when it is current (`commands/live.ts`), sockets and their limits (`listen.ts`).
 *
 * A1  Every request is guarded before it is routed, and every no is JSON with a code.
 * A2  Ids in a path are decoded once and parsed before anything else is done with them; a path that only resolves to that of a route is
 *     not on it.
 * A3  Only POST changes intent, and only on a route that declares a body.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";
import { type Answer, momentary, responseOf } from "./answer.ts";
import { type Answerer, type AnswererName, type AnswerSources, answerers } from "./answerers.ts";
import { factsOf, type HttpEnv } from "./facts.ts";
import { eventsOf, type Handler, type HandlerSources, reading, writing } from "./handlers.ts";
import { answerThrown, type GateSources, gate } from "./middleware.ts";
import { isOn, notRouted } from "./not-routed.ts";
import { describeRoutes } from "./openapi.ts";
import { isWrite } from "./use-case.ts";
import { EVERY_ROUTE, USE_CASES } from "./use-cases.ts";

export interface HttpSources
  extends Omit<AnswerSources, "paths" | "statusPath" | "eventClients" | "live">,
    GateSources,
    HandlerSources {
  readonly live: AnswerSources["live"] & HandlerSources["live"];
  readonly version: string;
  /** One more path for the status; null: none. */
  readonly alias: string | null;
}

type Serve = (method: "get" | "post", path: string, handle: Handler) => void;

export function createHttpApp(sources: HttpSources): OpenAPIHono<HttpEnv> {
  const { hub, alias, log, access } = sources;
  const http = new OpenAPIHono<HttpEnv>();
  const aliased = alias === null ? [] : [{ ...ROUTES.status, path: alias }];
  const routes: readonly RouteSpec[] = [...EVERY_ROUTE, ...aliased];
  const paths = [...new Set(routes.map((route) => route.path))];
  const answers = answerers({ ...sources, paths, statusPath: alias ?? ROUTES.status.path, eventClients: () => hub.count() });
  const serve: Serve = (method, path, handle) => {
    http[method](path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
      const facts = factsOf(context);
      return isOn(path, facts) ? handle(context) : responseOf(notRouted(facts, routes)); // (A2)
    });
  };
  const read = (spec: RouteSpec, answer: Answerer): void => serve("get", spec.path, reading(sources, spec, answer));
  http.use(gate(sources, routes)); // (A1)
  http.onError((error, context) => answerThrown(error, context, log));
  http.notFound((context) => responseOf(notRouted(factsOf(context), routes)));
  for (const [name, answer] of Object.entries(answers.own) as readonly (readonly [AnswererName, Answerer])[]) {
    read(ROUTES[name], answer);
  }
  for (const spec of aliased) read(spec, answers.own.status);
  for (const useCase of USE_CASES) {
    if (isWrite(useCase))
      serve("post", useCase.path, writing(sources, useCase)); // (A3)
    else read(useCase, answers.of(useCase));
  }
  serve("get", ROUTES.events.path, (context) => eventsOf(hub, context));
  describeRoutes(http.openAPIRegistry, { routes: EVERY_ROUTE, reads: access.reads });
  read(ROUTES.openapi, async () => describe(http, sources.version));
  return http;
}

function describe(http: OpenAPIHono<HttpEnv>, version: string): Answer {
  const info = { title: "LoopX", version, description: "One LoopX runtime root: reads, and writes with the token." };
  return momentary(200, http.getOpenAPI31Document({ openapi: "3.1.0", info }));
}
