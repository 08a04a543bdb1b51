/**
 * Runs an agent: its request checked, then its turns (`run-loop.ts`).
 *
 * Does not own: how what happens is told (the surface), exit statuses (`errors.ts`).
 *
 * N1  What can be known to be wrong is refused before anything begins: goals, agent, host, commands.
 */
import { agentOf } from "../core/goal/actor.ts";
import { parseRunArgv, type RunArgv } from "../core/host/run-argv.ts";
import type { WorkerFact } from "../core/host/worker-protocol.ts";
import { type AgentId, parseAgentId } from "../core/id.ts";
import { nearest } from "../core/near.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type RunPayload, type ShownTurn, turnShown } from "../core/show/run.ts";
import { WORKER_EXITS } from "../errors.ts";
import type { AgentHost } from "../ports/agent-host.ts";
import type { RunRequest } from "./app.ts";
import { findWritable, registryRows } from "./registry-rows.ts";
import { rehearseRun } from "./rehearse-run.ts";
import type { RunEnd } from "./run-end.ts";
import { AgentRun, type RunPlan } from "./run-loop.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";
import type { WritingWorkspace } from "./workspace.ts";

const DEFAULT_TTL_SECONDS = 300;

export async function run(workspace: WritingWorkspace, request: RunRequest): Promise<Reply<RunPayload>> {
  const ports = await workspace.agents();
  const settings = settingsOf(workspace, ports, request);
  if (settings.kind !== "done") return settings;
  const agent = await agentFor(workspace, request);
  if (agent.kind !== "done") return agent;
  const goals = request.goalIds.length === 0 ? null : new Set(request.goalIds);
  const idle_exit_ms = request.idleExitSeconds === null ? null : request.idleExitSeconds * 1000;
  const plan: RunPlan = { goals, agent: agent.value, most_turns: request.turns, idle_exit_ms, retry_host: request.retryHost };
  const turns: ShownTurn[] = [];
  if (request.dryRun) return await rehearseRun(workspace, plan, { ports, settings: settings.value });
  const tell: RunRequest["tell"] = async (fact, count, acknowledge) => {
    const shown = turnShown(fact);
    if (shown !== null) turns.push(shown);
    await request.tell(fact, count, acknowledge);
  };
  const running = new AgentRun(workspace, plan, { ports, settings: settings.value, orders: request.orders, tell });
  const end = await running.run();
  await request.tell(stoppedFact(end), running.turns, () => {});
  return done(payloadOf(request, { agent: agent.value, turns, end }));
}

function stoppedFact({ reason, message, code, fix, until }: RunEnd): WorkerFact {
  const more = { ...(code !== null && { code }), ...(fix !== null && { fix }), ...(until !== null && { until }) };
  return { event: "stopped", reason, message, ...more };
}

interface Ended {
  readonly agent: AgentId;
  readonly turns: readonly ShownTurn[];
  readonly end: RunEnd;
}

function payloadOf({ goalIds }: RunRequest, { agent, turns, end }: Ended): RunPayload {
  const [only = null, second] = goalIds;
  const { reason, message, code, fix, until, leaves_refused } = end;
  const last = turns.at(-1);
  return {
    ok: WORKER_EXITS[reason] === 0 && last?.outcome !== "failed" && !leaves_refused,
    goal_id: second === undefined ? only : null,
    agent_id: agent,
    dry_run: false,
    turns,
    stopped: reason,
    why: message,
    code,
    fix,
    until,
  };
}

/** N1. */
function settingsOf(workspace: WritingWorkspace, ports: RunPorts, request: RunRequest): Reply<TurnSettings> {
  const host = hostNamed(ports, request.host);
  if (host.kind !== "done") return host;
  const command = argvOf(request.hostCommand, "--host-command-json");
  if (command.kind !== "done") return command;
  const validation = argvOf(request.validationCommand, "--validation-command-json");
  if (validation.kind !== "done") return validation;
  const suffix = workspace.ids.suffix();
  return done({
    host: host.value,
    run: request.hostCommand,
    validation: validation.value,
    unvalidated: request.acceptUnvalidated ? "accept" : "refuse",
    workspace: request.workspace,
    limits: limitsOf(request),
    ttl_ms: (request.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1000,
    instance: `run-${suffix}`,
    session_marker: ports.env["LOOPX_SESSION_MARKER"] ?? `run-${suffix}`,
    log_dir: request.logDir ?? `${workspace.roots.runtime_root}/launcher/run/logs`,
    capabilities: request.capabilities,
  });
}

function hostNamed({ hosts }: RunPorts, name: string): Reply<AgentHost> {
  const host = Object.hasOwn(hosts, name) ? hosts[name] : undefined;
  if (host !== undefined) return done(host);
  const names = Object.keys(hosts);
  return reject("unknown_host", `There is no host ${JSON.stringify(name)}; there is ${names.join(", ")}.`, {
    near: nearest(name, names),
  });
}

function argvOf(text: string | null, option: string): Reply<RunArgv | null> {
  return text === null ? done(null) : parseRunArgv(text, option);
}

type Limits = Pick<RunRequest, "turnTimeoutSeconds" | "turnIdleTimeoutSeconds" | "graceSeconds">;

export function limitsOf({ turnTimeoutSeconds, turnIdleTimeoutSeconds, graceSeconds }: Limits): TurnSettings["limits"] {
  return {
    ...(turnIdleTimeoutSeconds !== null && { idle_ms: turnIdleTimeoutSeconds * 1000 }),
    ...(turnTimeoutSeconds !== null && { hard_ms: turnTimeoutSeconds * 1000 }),
    ...(graceSeconds !== null && { grace_ms: graceSeconds * 1000 }),
  };
}

/** N1. The goals that are named know the agent; without a name, the goal's only one. */
async function agentFor(workspace: WritingWorkspace, { goalIds, agentId }: RunRequest): Promise<Reply<AgentId>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  let agent = agentId === null ? null : parseAgentId(agentId);
  if (agentId !== null && agent === null) return reject("agent_id_invalid", `${JSON.stringify(agentId)} is no agent id.`);
  for (const goalId of goalIds) {
    const found = await findWritable(rows.value, goalId);
    if (found.kind !== "done") return found;
    const known = agentOf(found.value.goal, agent);
    if (known.kind !== "done") return known;
    agent = known.value;
  }
  return agent === null ? reject("agent_required", "Say which agent runs: --agent-id.", { fix: "loopx goal list" }) : done(agent);
}
