/** A request that passed: its parameters and its goal, parsed. */
import type { GoalId } from "../../core/id.ts";
import { parseGoalId } from "../../core/id.ts";
import { done, type Reply, reject } from "../../core/result.ts";
import type { Given } from "../../schema/http/parameters.ts";
import { PARAMETERS } from "../../schema/http/parameters.ts";
import type { RouteSpec } from "../../schema/http/routes.ts";
import type { Wanted } from "./answer.ts";
import type { RequestFacts } from "./guard.ts";
import { printable } from "./printable.ts";
import { parseQuery } from "./query.ts";
import { decodeSegment, matchPath, parseTarget } from "./target.ts";

export interface Asked {
  readonly given: Given;
  /** From the path; null on routes without one. */
  readonly goalId: GoalId | null;
  readonly wanted: Wanted;
  /** `Last-Event-ID`, else `after`. */
  readonly after: string | null;
}

export function parseAsked(facts: RequestFacts, route: RouteSpec): Reply<Asked> {
  const { path, query } = parseTarget(facts.target);
  const given = parseQuery(query, route.parameters);
  if (given.kind !== "done") return given;
  const goalId = goalIdOf(path, route);
  if (goalId.kind !== "done") return goalId;
  const after = lastEventOf(facts, route, given.value);
  if (after.kind !== "done") return after;
  const wanted = { acceptEncoding: facts.header("accept-encoding"), ifNoneMatch: facts.header("if-none-match") };
  return done({ given: given.value, goalId: goalId.value, wanted, after: after.value });
}

function goalIdOf(path: string, route: RouteSpec): Reply<GoalId | null> {
  if (!route.path.includes("{goal_id}")) return done(null);
  const segment = matchPath(route.path, path)?.["goal_id"];
  const text = segment === undefined ? null : decodeSegment(segment);
  if (text === null) return reject("invalid_goal_id", "the goal id in the path is not percent-encoded UTF-8");
  const parsed = parseGoalId(text);
  if (parsed.ok) return done(parsed.id);
  const { code, message } = parsed.flaw;
  return reject("invalid_goal_id", `goal id "${printable(text)}" ${message}`, { problems: [{ path: "goal_id", code, message }] });
}

function lastEventOf(facts: RequestFacts, route: RouteSpec, given: Given): Reply<string | null> {
  const sent = facts.header("last-event-id");
  if (sent === undefined || sent === "" || route.media !== "text/event-stream") return done(given.after ?? null);
  const parsed = PARAMETERS.after.schema.safeParse(sent);
  if (parsed.success) return done(String(parsed.data));
  return reject("invalid_parameter", "Last-Event-ID takes the id of an event");
}
