/**
 * Which agent acts, as far as the goal lets it (decision-plane 7).
 *
 * A1  With several registered agents an act names one of them; with one, that one is meant; with none, any name will do.
 */

import { loopxCommand } from "../command-line.ts";
import { type AgentId, parseAgentId } from "../id.ts";
import { type BadInput, done, type Reply, reject } from "../result.ts";
import { shorten } from "../shorten.ts";

export interface Acting {
  readonly goal_id: string;
  readonly registered_agents: readonly AgentId[];
}

/** (A1) Null where nobody is named and none is registered. */
export function agentOf({ goal_id, registered_agents }: Acting, text: string | null): Reply<AgentId | null> {
  if (text === null) {
    return registered_agents.length > 1 ? required({ goal_id, registered_agents }) : done(registered_agents[0] ?? null);
  }
  const agent = parseAgentId(text);
  if (agent === null) return badAgentId(text);
  if (registered_agents.length === 0 || registered_agents.includes(agent)) return done(agent);
  return reject("unknown_agent", `${agent} is not an agent of goal ${goal_id}.`, {
    near: registered_agents,
    fix: loopxCommand("agent", "add", "--goal-id", goal_id, "--agent-id", agent),
  });
}

export function badAgentId(text: string): BadInput {
  const shown = JSON.stringify(shorten(text, MOST_SHOWN));
  return reject("agent_id_invalid", `${shown} is no agent id: 1 to 80 of a-z 0-9 _ . : @ -, a letter first.`);
}

const MOST_SHOWN = 80;

export function required({ goal_id, registered_agents }: Acting): BadInput {
  return reject("agent_required", `Say which agent of goal ${goal_id} acts.`, {
    near: registered_agents,
    fix: loopxCommand("next", "--goal-id", goal_id, "--agent-id", registered_agents[0] ?? "a1"),
  });
}
