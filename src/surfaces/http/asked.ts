/** A request that passed: its parameters and the ids in its path, parsed. */
import { done, type Reply, reject } from "../../core/result.ts";
import type { Given } from "../../schema/http/parameters.ts";
import { PARAMETERS } from "../../schema/http/parameters.ts";
import type { RouteSpec } from "../../schema/http/routes.ts";
import type { Wanted } from "./answer.ts";
import type { RequestFacts } from "./guard.ts";
import { idNamesOf, type PathIds, parsePathId } from "./path-ids.ts";
import { parseQuery } from "./query.ts";
import { matchPath, parseTarget } from "./target.ts";

export interface Asked {
  readonly given: Given;
  /** Those of the path, and no others. */
  readonly ids: Partial<PathIds>;
  readonly wanted: Wanted;
  /** `Last-Event-ID`, else `after`. */
  readonly after: string | null;
}

export function parseAsked(facts: RequestFacts, route: RouteSpec): Reply<Asked> {
  const { path, query } = parseTarget(facts.target);
  const given = parseQuery(query, route.parameters);
  if (given.kind !== "done") return given;
  const ids = idsOf(path, route);
  if (ids.kind !== "done") return ids;
  const after = lastEventOf(facts, route, given.value);
  if (after.kind !== "done") return after;
  const wanted = { acceptEncoding: facts.header("accept-encoding"), ifNoneMatch: facts.header("if-none-match") };
  return done({ given: given.value, ids: ids.value, wanted, after: after.value });
}

function idsOf(path: string, route: RouteSpec): Reply<Partial<PathIds>> {
  const segments = matchPath(route.path, path) ?? {};
  const ids: Partial<Record<keyof PathIds, string | number>> = {};
  for (const name of idNamesOf(route.path)) {
    const parsed = parsePathId(name, segments[name] ?? "");
    if (parsed.kind !== "done") return parsed;
    ids[name] = parsed.value;
  }
  return done(ids as Partial<PathIds>);
}

function lastEventOf(facts: RequestFacts, route: RouteSpec, given: Given): Reply<string | null> {
  const sent = facts.header("last-event-id");
  if (sent === undefined || sent === "" || route.media !== "text/event-stream") return done(given.after ?? null);
  const parsed = PARAMETERS.after.schema.safeParse(sent);
  if (parsed.success) return done(String(parsed.data));
  return reject("invalid_parameter", "Last-Event-ID takes the id of an event");
}
