/**
 * The launch spec of the reference, `generic_multi_agent_launch_spec_v0`: what of it says which team is meant.
 *
 * Does not own: launching. What the reference used its other fields for (panes, prompts, skills) has no part here and is passed over.
 *
 * G1  A spec without goal or agents, or with a field of another type, is named with the place of its flaw; nothing is launched by a guess.
 */
import type { JsonObject, JsonValue } from "../registry/json-node.ts";
import { parseJsonText } from "../registry/json-text.ts";
import { type BadInput, done, type Reply, reject } from "../result.ts";

export interface ReferenceSpec {
  readonly goal_id: string;
  readonly agents: readonly string[];
  readonly session: string | null;
  readonly workspace: string | null;
}

/** Each holds the same: the reference took any of them. */
const LISTS = ["roles", "agents", "lanes"] as const;

export function readReferenceSpec(text: string, path: string): Reply<ReferenceSpec> {
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    const { line, column, message } = parsed.problem;
    return reject("spec_unreadable", `${path}:${line}:${column}: ${message}`, {
      problems: [{ path, line, column, code: "spec_unreadable", message }],
    });
  }
  const spec = parsed.value;
  return isObject(spec) ? fieldsOf(spec, path) : flawed(path, "must be an object");
}

function fieldsOf(spec: JsonObject, path: string): Reply<ReferenceSpec> {
  const { goal_id, session_name: session = null, workspace = null } = spec;
  if (typeof goal_id !== "string") return flawed(path, "needs a goal_id");
  for (const [name, value] of Object.entries({ session_name: session, workspace }))
    if (value !== null && typeof value !== "string") return flawed(path, `${name} must be a text`);
  const agents = agentsOf(spec, path);
  if (agents.kind !== "done") return agents;
  return done({ goal_id, agents: agents.value, session: session as string | null, workspace: workspace as string | null });
}

function agentsOf(spec: JsonObject, path: string): Reply<readonly string[]> {
  const name = LISTS.find((each) => spec[each] !== undefined);
  const roles = name === undefined ? null : spec[name];
  if (!Array.isArray(roles) || roles.length === 0) return flawed(path, `needs a list ${LISTS.join(" or ")} that is not empty`);
  const agents: string[] = [];
  for (const [at, role] of (roles as readonly JsonValue[]).entries()) {
    const agent = isObject(role) ? role["agent_id"] : null;
    if (typeof agent !== "string") return flawed(path, `${name}[${at}] needs an agent_id`);
    agents.push(agent);
  }
  return done(agents);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function flawed(path: string, message: string): BadInput {
  return reject("spec_invalid", `${path} ${message}.`, { problems: [{ path, code: "spec_invalid", message }] });
}
