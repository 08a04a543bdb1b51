/**
 * A launch as it was asked for, to a spec that can be carried out as far as words can tell.
 *
 * Does not own: goals, programs and folders, which are looked at (`commands/launch.ts`).
 *
 * Q1  Nothing is guessed and nothing repaired: a value that cannot be used is named with its option.
 */
import { parseRunArgv } from "../host/run-argv.ts";
import { type AgentId, type GoalId, parseAgentId, parseGoalId } from "../id.ts";
import { nearest } from "../near.ts";
import { done, type Reply, reject } from "../result.ts";
import type { LaunchSpec } from "./launch-spec.ts";
import { MAX_AGENTS } from "./settings.ts";

export interface LaunchAsked {
  /** So many, named agent-1 and so on. */
  readonly agents: number | null;
  readonly agentIds: readonly string[];
  readonly goalIds: readonly string[];
  readonly host: string | null;
  readonly hostCommand: string | null;
  readonly validationCommand: string | null;
  readonly acceptUnvalidated: boolean;
  /** Absolute. */
  readonly workspace: string | null;
  readonly maxTurns: number | null;
  readonly turnTimeoutSeconds: number | null;
  readonly turnIdleTimeoutSeconds: number | null;
  readonly idleExit: string | null;
  readonly graceSeconds: number | null;
  readonly maxLoad: number | null;
  readonly maxRestarts: number | null;
  readonly backoffMinSeconds: number | null;
  readonly backoffMaxSeconds: number | null;
  readonly session: string | null;
}

export const DEFAULT_SESSION = "team";

export function launchSpec(asked: LaunchAsked, hosts: readonly string[]): Reply<LaunchSpec> {
  const agents = agentsOf(asked);
  if (agents.kind !== "done") return agents;
  const goals = goalsOf(asked.goalIds);
  if (goals.kind !== "done") return goals;
  const session = sessionName(asked.session);
  if (session.kind !== "done") return session;
  const host = asked.host ?? "command";
  if (!hosts.includes(host)) return unknownHost(host, hosts);
  const idle = idleExit(asked.idleExit);
  if (idle.kind !== "done") return idle;
  const hostCommand = argvText(asked.hostCommand, "--host-command-json");
  if (hostCommand.kind !== "done") return hostCommand;
  const validation = argvText(asked.validationCommand, "--validation-command-json");
  if (validation.kind !== "done") return validation;
  return done({
    session: session.value,
    agents: agents.value,
    goals: goals.value,
    host,
    host_command: hostCommand.value,
    validation_command: validation.value,
    accept_unvalidated: asked.acceptUnvalidated,
    workspace: asked.workspace,
    idle_exit_s: idle.value,
    ...numbersOf(asked),
  });
}

function numbersOf(
  asked: LaunchAsked,
): Pick<
  LaunchSpec,
  | "max_turns"
  | "turn_timeout_s"
  | "turn_idle_timeout_s"
  | "grace_s"
  | "max_load"
  | "max_restarts"
  | "backoff_min_s"
  | "backoff_max_s"
> {
  return {
    max_turns: asked.maxTurns,
    turn_timeout_s: asked.turnTimeoutSeconds,
    turn_idle_timeout_s: asked.turnIdleTimeoutSeconds,
    grace_s: asked.graceSeconds,
    max_load: asked.maxLoad,
    max_restarts: asked.maxRestarts,
    backoff_min_s: asked.backoffMinSeconds,
    backoff_max_s: asked.backoffMaxSeconds,
  };
}

export function sessionName(written: string | null): Reply<string> {
  const name = written ?? DEFAULT_SESSION;
  const parsed = parseGoalId(name);
  return parsed.ok ? done(name) : reject("session_invalid", `session ${JSON.stringify(name)} ${parsed.flaw.message}`);
}

function agentsOf({ agents, agentIds }: LaunchAsked): Reply<readonly AgentId[]> {
  if (agents !== null && agentIds.length > 0)
    return reject("option_conflict", "--agents names them by number, --agent one by one: give one of the two");
  if (agents === null && agentIds.length === 0)
    return reject("agents_missing", "How many agents? --agents N, or --agent ID for each", { fix: "loopx launch --agents 4" });
  const names = agents === null ? agentIds : Array.from({ length: agents }, (_, index) => `agent-${index + 1}`);
  if (names.length > MAX_AGENTS) return reject("too_many_agents", `A team has at most ${MAX_AGENTS} agents, not ${names.length}`);
  return parsedAgents(names);
}

function parsedAgents(names: readonly string[]): Reply<readonly AgentId[]> {
  const ids = new Set<AgentId>();
  for (const name of names) {
    const id = parseAgentId(name);
    if (id === null)
      return reject("agent_id_invalid", `${JSON.stringify(name)} is no agent id: a letter, then at most 79 of a-z 0-9 _ . : @ -`);
    if (ids.has(id)) return reject("agent_id_twice", `The agent ${id} is named twice`);
    ids.add(id);
  }
  return done([...ids]);
}

function goalsOf(names: readonly string[]): Reply<readonly GoalId[]> {
  const ids = new Set<GoalId>();
  for (const name of names) {
    const parsed = parseGoalId(name);
    if (!parsed.ok) return reject(parsed.flaw.code, `goal id ${JSON.stringify(name)} ${parsed.flaw.message}`);
    ids.add(parsed.id);
  }
  return done([...ids]);
}

function unknownHost(host: string, hosts: readonly string[]): Reply<never> {
  return reject("host_unknown", `There is no host ${JSON.stringify(host)}; there is ${hosts.join(", ")}`, {
    near: nearest(host, [...hosts]),
  });
}

function idleExit(written: string | null): Reply<LaunchSpec["idle_exit_s"]> {
  if (written === null || written === "never") return done(written);
  const seconds = /^\d{1,8}(?:\.\d{1,3})?$/.test(written) ? Number(written) : null;
  return seconds === null
    ? reject("option_value_invalid", `--idle-exit is a number of seconds or never, not ${JSON.stringify(written)}`)
    : done(seconds);
}

function argvText(text: string | null, path: string): Reply<string | null> {
  if (text === null) return done(null);
  const argv = parseRunArgv(text, path);
  return argv.kind === "done" ? done(JSON.stringify(argv.value)) : argv;
}
