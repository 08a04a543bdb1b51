/** `/openapi.json`, made from the lists of routes and the schemas that requests are checked by and the tests hold the answers against. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { noAnswer } from "../../schema/http/answers.ts";
import { PARAMETERS } from "../../schema/http/parameters.ts";
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";
import type { Reads } from "./access.ts";
import { idNamesOf, PATH_IDS } from "./path-ids.ts";
import { isWrite } from "./use-case.ts";

type Registry = OpenAPIHono["openAPIRegistry"];
type Described = Parameters<Registry["registerPath"]>[0];
type Responses = Described["responses"];

const NO = { "application/json": { schema: noAnswer } };
const TOKEN = [{ token: [] }];

const READ_NOES: Readonly<Record<string, string>> = { default: "No, and why" };

/** Of a write; which codes there are belongs to the use case. */
const WRITE_NOES: Readonly<Record<string, string>> = {
  400: "The request cannot be used",
  401: "The token is missing or wrong",
  403: "Refused: a page of another origin, or not allowed",
  404: "What the path names is not there",
  409: "Refused as things stand",
  413: "The body is too large",
  415: "The body is not JSON",
  422: "Refused: it can never be done so",
  503: "The world failed; `retry` says whether later helps",
  default: "No, and why",
};

const key = z
  .string()
  .regex(/^[A-Za-z0-9_.:@/-]{1,160}$/)
  .optional()
  .openapi({ description: "names this request: sent again with the same key, it is done once" });

interface Descriptions {
  readonly routes: readonly RouteSpec[];
  readonly reads: Reads;
}

export function describeRoutes(registry: Registry, { routes, reads }: Descriptions): void {
  const about = "the content of serve-token in the runtime root";
  registry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer", description: about });
  for (const route of routes) registry.registerPath(described(route, reads));
}

function described(route: RouteSpec, reads: Reads): Described {
  return {
    method: isWrite(route) ? "post" : "get",
    path: route.path,
    summary: route.summary,
    security: needsToken(route, reads) ? TOKEN : [],
    request: requestOf(route),
    responses: responsesOf(route),
  };
}

function needsToken(route: RouteSpec, reads: Reads): boolean {
  return isWrite(route) || route.private === true || (reads === "with_token" && route.path !== ROUTES.healthz.path);
}

function requestOf(route: RouteSpec): NonNullable<Described["request"]> {
  const query = route.parameters.map((name) => [
    name,
    PARAMETERS[name].schema.optional().openapi({ description: PARAMETERS[name].about }),
  ]);
  const ids = idNamesOf(route.path).map((name) => [name, PATH_IDS[name].schema]);
  return {
    ...(query.length > 0 && { query: z.object(Object.fromEntries(query)) }),
    ...(ids.length > 0 && { params: z.object(Object.fromEntries(ids)) }),
    ...(isWrite(route) && {
      headers: z.object({ "Idempotency-Key": key }),
      body: { required: true, content: { "application/json": { schema: route.body } } },
    }),
  };
}

function responsesOf(route: RouteSpec): Responses {
  const noes = Object.entries(isWrite(route) ? WRITE_NOES : READ_NOES).map(([status, description]) => [
    status,
    { description, content: NO },
  ]);
  const answer = { description: route.summary, content: { [route.media]: { schema: route.answer } } };
  return { 200: answer, ...Object.fromEntries(noes) } as Responses;
}
