/** Requests that no route takes: the wrong method on a known path, or no such path. */
import { nearest } from "../../core/near.ts";
import { reject } from "../../core/result.ts";
import type { Answer } from "./answer.ts";
import type { RequestFacts } from "./guard.ts";
import { noAnswer } from "./no-answer.ts";
import { printable } from "./printable.ts";
import { matchPath, parseTarget } from "./target.ts";

export const ALLOWED = "GET, HEAD, OPTIONS";

export function notRouted({ method, target }: RequestFacts, paths: readonly string[]): Answer {
  const { path } = parseTarget(target);
  if (paths.some((pattern) => matchPath(pattern, path) !== null) && method !== "GET" && method !== "HEAD") {
    return noAnswer(reject("method_not_allowed", `${printable(method)} is not offered here; ${ALLOWED} are`), { allow: ALLOWED });
  }
  const near = nearest(path, paths);
  const known = `there is no "${printable(path)}"; there are ${paths.join(", ")}`;
  return noAnswer(reject("route_not_found", known, near.length > 0 ? { near } : {}));
}
