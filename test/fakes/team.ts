/** A team that runs, without processes: its supervisor takes every order. */

import type { TeamWorld } from "../../src/commands/team-ports.ts";
import { teamWorld } from "../../src/compose-team.ts";
import type { AgentId } from "../../src/core/id.ts";
import type { Instant } from "../../src/core/instant.ts";
import { done } from "../../src/core/result.ts";
import type { LaunchSpec } from "../../src/core/team/launch-spec.ts";
import type { AgentRecord, SessionRecord } from "../../src/core/team/records.ts";
import type { SessionFolder, SessionOrder } from "../../src/ports/team.ts";

export interface FakeTeam {
  readonly world: TeamWorld;
  /** What the supervisor was told. */
  readonly orders: SessionOrder[];
}

const SINCE = "2026-03-10T08:00:00.000Z" as Instant;
const AGENTS = ["builder", "helper"] as unknown as readonly AgentId[];
const SUPERVISOR = { pid: 4711, started: "1", boot_id: "b" };
const LOG = "builder log line\n";

/** As a launch that says nothing more than one agent. */
export const LAUNCH_SPEC: LaunchSpec = {
  session: "team",
  agents: ["agent-1" as AgentId],
  goals: [],
  host: "command",
  host_command: null,
  validation_command: null,
  accept_unvalidated: false,
  workspace: null,
  max_turns: null,
  turn_timeout_s: null,
  turn_idle_timeout_s: null,
  idle_exit_s: null,
  grace_s: null,
  max_load: null,
  max_restarts: null,
  backoff_min_s: null,
  backoff_max_s: null,
};

/** The session is called `team`, as by default. */
export function fakeTeam(root: string): FakeTeam {
  const orders: SessionOrder[] = [];
  const real = teamWorld({ env: {}, cwd: root, program: ["loopx"], runtimeRoot: () => done(root) });
  const folders = (_root: string, name: string): SessionFolder => ({
    ...real.folders(root, name),
    holder: () => SUPERVISOR,
    session: () => (name === "team" ? record(root) : null),
    agents: () => AGENTS.map(agent),
    logs: () => [{ agent_id: "builder", path: "builder.log", size: LOG.length, modified_ms: 0 }],
    readLog: (_path, from, length) => LOG.slice(from, from + length),
    give: async (order) => {
      orders.push(order);
      return "taken";
    },
  });
  const identities = { ...real.identities, isAlive: () => true };
  return { world: { ...real, folders, identities, signal: () => true, processes: { sweep: async () => 0 } }, orders };
}

function record(root: string): SessionRecord {
  return {
    schema_version: "loopx_team_session_v1",
    session: "team",
    version: "1.2.3",
    status: "running",
    ...SUPERVISOR,
    marker: "m",
    started_at: SINCE,
    ended_at: null,
    exit: null,
    outcome: null,
    registry: `${root}/registry.json`,
    runtime_root: root,
    spec: { ...LAUNCH_SPEC, agents: AGENTS, host_command: '["work"]' },
    cool_down_until: null,
    attention: [],
  };
}

function agent(agent_id: AgentId): AgentRecord {
  return {
    schema_version: "loopx_team_agent_v1",
    agent_id,
    state: "due",
    why: null,
    pid: null,
    goal_id: null,
    todo_id: null,
    turn_id: null,
    text: null,
    turns: 0,
    restarts: 0,
    last_result: null,
    fix: null,
    since: SINCE,
    next_at: null,
  };
}
