/** Every route of the server as data: routing, validation of parameters and `/openapi.json` come from this list. */
import type { z } from "@hono/zod-openapi";
import {
  driftAnswer,
  eventData,
  goalAnswer,
  goalsAnswer,
  healthAnswer,
  historyAnswer,
  indexAnswer,
  openApiAnswer,
  statusAnswer,
} from "./answers.ts";
import type { ParameterName } from "./parameters.ts";

export interface RouteSpec {
  /** `{goal_id}` stands for one path segment. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly ParameterName[];
  readonly answer: z.ZodType;
  readonly media: "application/json" | "text/event-stream";
}

const JSON_MEDIA = "application/json";
const STATUS = {
  summary: "Who must act, what comes next and what has drifted.",
  parameters: ["limit", "cursor", "all", "fields", "goal_id", "agent_id"],
  answer: statusAnswer,
  media: JSON_MEDIA,
} as const;

export const ROUTES = {
  index: { path: "/", summary: "What this server offers.", parameters: [], answer: indexAnswer, media: JSON_MEDIA },
  status: { path: "/status", ...STATUS },
  status_json: { path: "/status.json", ...STATUS },
  goals: {
    path: "/goals",
    summary: "The goals of the registry.",
    parameters: ["limit", "cursor", "all"],
    answer: goalsAnswer,
    media: JSON_MEDIA,
  },
  goal: {
    path: "/goals/{goal_id}",
    summary: "One goal as its files declare it.",
    parameters: [],
    answer: goalAnswer,
    media: JSON_MEDIA,
  },
  history: {
    path: "/goals/{goal_id}/history",
    summary: "Recorded runs of one goal, newest first.",
    parameters: ["limit", "cursor"],
    answer: historyAnswer,
    media: JSON_MEDIA,
  },
  drift: {
    path: "/drift",
    summary: "Where execution has left intent, and the repair.",
    parameters: ["goal_id", "limit", "cursor"],
    answer: driftAnswer,
    media: JSON_MEDIA,
  },
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
