/** Requests that no route takes: the wrong method on a known path, or no such path; and what is offered where. */
import { nearest } from "../../core/near.ts";
import { reject } from "../../core/result.ts";
import type { RouteSpec } from "../../schema/http/routes.ts";
import type { Answer } from "./answer.ts";
import type { RequestFacts } from "./guard.ts";
import { noAnswer } from "./no-answer.ts";
import { printable } from "./printable.ts";
import { matchPath, parseTarget } from "./target.ts";
import { isWrite } from "./use-case.ts";

export type Offered = Pick<RouteSpec, "path" | "body">;

/** By the path as it was sent. */
export function isOn(pattern: string, { target }: RequestFacts): boolean {
  return matchPath(pattern, parseTarget(target).path) !== null;
}

/** Empty where there is no such path. */
export function methodsAt(target: string, routes: readonly Offered[]): readonly string[] {
  const { path } = parseTarget(target);
  const here = routes.filter((route) => matchPath(route.path, path) !== null);
  if (here.length === 0) return [];
  const reads = here.some((route) => !isWrite(route));
  return [...(reads ? ["GET", "HEAD"] : []), ...(here.some(isWrite) ? ["POST"] : []), "OPTIONS"];
}

export function notRouted({ method, target }: RequestFacts, routes: readonly Offered[]): Answer {
  const methods = methodsAt(target, routes);
  if (methods.length > 0 && !methods.includes(method)) {
    const allow = methods.join(", ");
    return noAnswer(reject("method_not_allowed", `${printable(method)} is not offered here; ${allow} are`), { allow });
  }
  const { path } = parseTarget(target);
  const paths = [...new Set(routes.map((route) => route.path))];
  const near = nearest(path, paths);
  const known = `there is no "${printable(path)}"; there are ${paths.join(", ")}`;
  return noAnswer(reject("route_not_found", known, near.length > 0 ? { near } : {}));
}
