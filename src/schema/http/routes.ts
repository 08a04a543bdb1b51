/**
 * What a route is, as data, and the routes of the server itself. Routes of use cases are rows in `surfaces/http/cases`.
 * Routing, validation and `/openapi.json` come from these lists.
 */
import type { z } from "@hono/zod-openapi";
import { eventData, healthAnswer, indexAnswer, openApiAnswer, statusAnswer } from "./answers.ts";
import type { ParameterName } from "./parameters.ts";

export interface RouteSpec {
  /** `{goal_id}` stands for one path segment. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly ParameterName[];
  /** A route with a body is a write: POST, with the token. One without is a read: GET. */
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  /** A read of what its owner alone can read on the disk: it needs the token, also where reads are open. */
  readonly private?: true;
  readonly media: "application/json" | "text/event-stream";
}

const JSON_MEDIA = "application/json";
const STATUS = {
  summary: "Who must act, what comes next and what has drifted.",
  parameters: ["limit", "cursor", "all", "fields", "goal_id", "agent_id", "at"],
  answer: statusAnswer,
  media: JSON_MEDIA,
} as const;

export const ROUTES = {
  index: { path: "/", summary: "What this server offers.", parameters: [], answer: indexAnswer, media: JSON_MEDIA },
  status: { path: "/status", ...STATUS },
  status_json: { path: "/status.json", ...STATUS },
  events: {
    path: "/events",
    summary: "Recorded events as they happen, server-sent; resumable with Last-Event-ID.",
    parameters: ["after"],
    answer: eventData,
    media: "text/event-stream",
  },
  healthz: {
    path: "/healthz",
    summary: "Whether the picture is kept current; 503 when it is not.",
    parameters: [],
    answer: healthAnswer,
    media: JSON_MEDIA,
  },
  openapi: { path: "/openapi.json", summary: "This description.", parameters: [], answer: openApiAnswer, media: JSON_MEDIA },
} as const satisfies Record<string, RouteSpec>;

export type RouteName = keyof typeof ROUTES;
