/** Parameters of a route: known, given once, and of the right form; everything else is refused with what was meant. */
import { nearest } from "../../core/near.ts";
import { done, type Problem, type Reply, reject } from "../../core/result.ts";
import { type Given, PARAMETERS, type ParameterName } from "../../schema/http/parameters.ts";
import { printable } from "./printable.ts";

const MOST_PARAMETERS = 20;

export function parseQuery(query: string, accepted: readonly ParameterName[]): Reply<Given> {
  const pairs = [...new URLSearchParams(query)];
  if (pairs.length > MOST_PARAMETERS) {
    return reject("too_many_parameters", `at most ${MOST_PARAMETERS} parameters are read`);
  }
  const names = pairs.map(([name]) => name);
  const unknown = names.find((name) => !isOneOf(name, accepted));
  if (unknown !== undefined) return unknownParameter(unknown, accepted);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return reject("repeated_parameter", `"${twice}" is given twice; which one is meant cannot be told`);
  return parseValues(pairs);
}

function isOneOf(name: string, accepted: readonly ParameterName[]): boolean {
  return accepted.some((each) => each === name);
}

function unknownParameter(name: string, accepted: readonly ParameterName[]): Reply<Given> {
  const known = accepted.length === 0 ? "this route takes none" : `this route takes ${accepted.join(", ")}`;
  const near = nearest(name.replaceAll("-", "_"), accepted);
  return reject("unknown_parameter", `there is no parameter "${printable(name)}"; ${known}`, { near });
}

function parseValues(pairs: readonly (readonly [string, string])[]): Reply<Given> {
  const given: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, value] of pairs) {
    const parsed = PARAMETERS[name as ParameterName].schema.safeParse(value);
    if (parsed.success) given[name] = parsed.data;
    else problems.push(...parsed.error.issues.map(({ message }) => ({ path: name, code: "invalid_parameter", message })));
  }
  const first = problems[0];
  if (first === undefined) return done(given as Given);
  return reject("invalid_parameter", `"${first.path}" cannot be used: ${first.message}`, { problems });
}
