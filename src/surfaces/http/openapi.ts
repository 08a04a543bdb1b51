/** `/openapi.json`, made from the list of routes and the schemas that the tests hold the answers against. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { noAnswer } from "../../schema/http/answers.ts";
import { PARAMETERS } from "../../schema/http/parameters.ts";
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

const goalId = z.string().openapi({ description: "goal id, percent-encoded once", example: "importer" });

export function describeRoutes(registry: Registry): void {
  for (const route of Object.values<RouteSpec>(ROUTES)) registry.registerPath(described(route));
}

function described(route: RouteSpec): Parameters<Registry["registerPath"]>[0] {
  const query = route.parameters.map((name) => [
    name,
    PARAMETERS[name].schema.optional().openapi({ description: PARAMETERS[name].about }),
  ]);
  const no = { description: "No, and why", content: { "application/json": { schema: noAnswer } } };
  return {
    method: "get",
    path: route.path,
    summary: route.summary,
    request: {
      ...(query.length > 0 && { query: z.object(Object.fromEntries(query)) }),
      ...(route.path.includes("{goal_id}") && { params: z.object({ goal_id: goalId }) }),
    },
    responses: { 200: { description: route.summary, content: { [route.media]: { schema: route.answer } } }, default: no },
  };
}
