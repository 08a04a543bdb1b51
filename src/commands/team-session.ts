/**
 * Asks after a team, and asks it to end or to go on.
 *
 * Does not own: what a supervisor does about it (`launch-team.ts`).
 *
 * S1  Whether a team runs is what its supervisor's process says, not what its last record does.
 * S2  An order that the supervisor does not take is put to its process, which was seen to be the supervisor right before.
 * S3  What a dead supervisor left running is ended by `stop`, and its records say from then on that the team has ended.
 */
import { loopxCommand } from "../core/command-line.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import { sessionName } from "../core/team/launch-request.ts";
import { relaunchArguments } from "../core/team/launch-spec.ts";
import { type AgentRecord, hasEnded, type SessionRecord } from "../core/team/records.ts";
import type { SessionFolder, SessionOrder } from "../ports/team.ts";
import type { TeamWorld } from "./team-ports.ts";

export interface SessionRequest {
  readonly session: string | null;
}

export interface TeamStatus {
  readonly ok: true;
  /** `dead`: its supervisor ended without a word. */
  readonly standing: "running" | "ended" | "dead";
  readonly session: SessionRecord;
  readonly agents: readonly AgentRecord[];
  readonly load: number;
  readonly cores: number;
  readonly folder: string;
}

export interface TeamStopped {
  readonly ok: true;
  readonly session: string;
  readonly how: "told" | "signalled" | "swept" | "not_running";
  /** Processes that a dead supervisor had left running. */
  readonly swept: number;
  readonly now: boolean;
}

export interface TeamWoken {
  readonly ok: true;
  readonly session: string;
  readonly agent_id: string | null;
}

const ACK_MS = 5000;
const SWEEP_GRACE_MS = 5000;

interface Found {
  readonly folder: SessionFolder;
  readonly record: SessionRecord;
  readonly lives: boolean;
}

export function findSession(world: TeamWorld, { session }: SessionRequest): Reply<Found> {
  const name = sessionName(session);
  if (name.kind !== "done") return name;
  const root = world.runtimeRoot();
  if (root.kind !== "done") return root;
  const folder = world.folders(root.value, name.value);
  const record = folder.session();
  if (record === null)
    return reject("unknown_session", `${root.value} has no session ${JSON.stringify(name.value)}`, {
      fix: loopxCommand("launch", "--agents", "4", "--runtime-root", root.value),
    });
  const holder = folder.holder();
  const lives = holder !== null && holder.pid === record.pid && world.identities.isAlive(record); // (S1)
  return done({ folder, record, lives });
}

export async function agentsStatus(world: TeamWorld, request: SessionRequest): Promise<Reply<TeamStatus>> {
  const found = findSession(world, request);
  if (found.kind !== "done") return found;
  const { folder, record, lives } = found.value;
  const order = record.spec.agents as readonly string[];
  const agents = [...folder.agents()].sort((a, b) => order.indexOf(a.agent_id) - order.indexOf(b.agent_id));
  const { per_core, cores } = world.load();
  const standing = lives ? "running" : record.status === "ended" ? "ended" : "dead";
  return done({ ok: true, standing, session: record, agents, load: per_core, cores, folder: folder.path });
}

export interface StopRequest extends SessionRequest {
  readonly now: boolean;
}

export async function agentsStop(world: TeamWorld, request: StopRequest): Promise<Reply<TeamStopped>> {
  const found = findSession(world, request);
  if (found.kind !== "done") return found;
  const { record, lives } = found.value;
  const answer = { ok: true, session: record.session, swept: 0, now: request.now } as const;
  if (lives) return done({ ...answer, how: await tellToEnd(found.value, world, request) });
  if (record.status === "ended") return done({ ...answer, how: "not_running" });
  const swept = await world.processes.sweep({ LOOPX_SESSION_MARKER: record.marker }, SWEEP_GRACE_MS); // (S3)
  settle(found.value);
  return done({ ...answer, how: "swept", swept });
}

/** S3. Unless the session was launched anew meanwhile. */
function settle({ folder, record }: Found): void {
  if (folder.session()?.marker !== record.marker) return;
  folder.writeSession({ ...record, status: "ended" });
  const nothing = { pid: null, goal_id: null, todo_id: null, turn_id: null, text: null, next_at: null };
  for (const agent of folder.agents()) {
    if (!hasEnded(agent))
      folder.writeAgent({ ...agent, ...nothing, state: "failed", why: "Its supervisor ended without a word." });
  }
}

async function tellToEnd({ folder, record }: Found, world: TeamWorld, { now }: StopRequest): Promise<"told" | "signalled"> {
  const taken = await folder.give({ do: now ? "stop" : "drain" }, ACK_MS);
  if (taken === "taken") return "told";
  for (let signals = now ? 2 : 1; signals > 0 && world.identities.isAlive(record); signals -= 1)
    world.signal(record.pid, "SIGTERM"); // (S2)
  return "signalled";
}

export interface WakeRequest extends SessionRequest {
  readonly agentId: string | null;
}

export async function agentsWake(world: TeamWorld, request: WakeRequest): Promise<Reply<TeamWoken>> {
  const found = findSession(world, request);
  if (found.kind !== "done") return found;
  const { folder, record, lives } = found.value;
  const { session } = record;
  const { agentId: agent_id } = request;
  if (agent_id !== null && !record.spec.agents.some((id) => id === agent_id))
    return reject("unknown_agent", `The session ${session} has no agent ${JSON.stringify(agent_id)}`, {
      near: [...record.spec.agents],
    });
  if (!lives) return notRunning(record);
  const order: SessionOrder = { do: "wake", agent_id };
  const taken = await folder.give(order, ACK_MS);
  if (taken === "not_taken")
    return refuse("session_not_listening", `The supervisor of ${session} does not answer.`, {
      details: { session, pid: record.pid },
    });
  return done({ ok: true, session, agent_id });
}

function notRunning(record: SessionRecord): Reply<never> {
  const { session } = record;
  return refuse("session_not_running", `The session ${session} is not running.`, {
    details: { session },
    fix: loopxCommand(...relaunchArguments(record.spec, record)),
  });
}
