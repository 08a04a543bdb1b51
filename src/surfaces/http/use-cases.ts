/**
 * Every use case that HTTP offers, one row each: path, schemas, and the method of the application that answers. Guards, token, body,
 * `/openapi.json`, entity tags and the tests that fuzz every route come with the row.
 */
import { ROUTES, type RouteSpec } from "../../schema/http/routes.ts";
import { ARCHIVE_CASES } from "./cases/archives.ts";
import { CACHE_CASES } from "./cases/caches.ts";
import { DECISION_CASES } from "./cases/decisions.ts";
import { EVIDENCE_CASES } from "./cases/evidence.ts";
import { GATE_CASES } from "./cases/gates.ts";
import { GOAL_CASES } from "./cases/goals.ts";
import { LEASE_CASES } from "./cases/leases.ts";
import { QUOTA_CASES } from "./cases/quota.ts";
import { SETTING_CASES } from "./cases/settings.ts";
import { TEAM_CASES } from "./cases/team.ts";
import { TODO_CASES } from "./cases/todos.ts";
import type { UseCase } from "./use-case.ts";

export const USE_CASES: readonly UseCase[] = [
  ...GOAL_CASES,
  ...SETTING_CASES,
  ...QUOTA_CASES,
  ...DECISION_CASES,
  ...TODO_CASES,
  ...GATE_CASES,
  ...LEASE_CASES,
  ...EVIDENCE_CASES,
  ...CACHE_CASES,
  ...ARCHIVE_CASES,
  ...TEAM_CASES,
];

/** Those of the server itself, too. */
export const EVERY_ROUTE: readonly RouteSpec[] = [...Object.values<RouteSpec>(ROUTES), ...USE_CASES];
