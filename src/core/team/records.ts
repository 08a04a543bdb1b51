/**
 * What a supervisor keeps of its team on the disk, for those who ask while it runs and after it has ended.
 *
 * R1  A record changes when something happened that it tells of; that time goes by changes none: it holds instants, never ages.
 */
import type { AgentId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { LaunchSpec } from "./launch-spec.ts";
import type { Attention, Team } from "./team.ts";
import type { Doing, Ended, LastResult, Worker } from "./worker.ts";

export const SESSION_SCHEMA = "loopx_team_session_v1";
const AGENT_SCHEMA = "loopx_team_agent_v1";

export interface SessionRecord {
  readonly schema_version: typeof SESSION_SCHEMA;
  readonly session: string;
  readonly version: string;
  readonly status: "running" | "draining" | "stopping" | "ended";
  /** The supervisor's process. */
  readonly pid: number;
  readonly started: string;
  readonly boot_id: string;
  /** Carried by every process of the team: `LOOPX_SESSION_MARKER`. */
  readonly marker: string;
  readonly started_at: Instant;
  readonly ended_at: Instant | null;
  readonly exit: number | null;
  readonly outcome: string | null;
  readonly registry: string;
  readonly runtime_root: string;
  readonly spec: LaunchSpec;
  readonly cool_down_until: Instant | null;
  readonly attention: readonly Attention[];
}

export interface AgentRecord {
  readonly schema_version: typeof AGENT_SCHEMA;
  readonly agent_id: AgentId;
  readonly state: AgentState;
  /** What keeps it, or what it waits for; null: nothing. */
  readonly why: string | null;
  readonly pid: number | null;
  readonly goal_id: string | null;
  readonly todo_id: string | null;
  readonly turn_id: string | null;
  /** Of the todo. */
  readonly text: string | null;
  readonly turns: number;
  readonly restarts: number;
  readonly last_result: LastResult | null;
  readonly fix: string | null;
  /** Since when it is in this state. */
  readonly since: Instant;
  /** When it is to go on; null: not known, or at once. */
  readonly next_at: Instant | null;
}

export type AgentState = Doing["kind"] | "due" | "held_back" | "ending" | Ended["outcome"];

type Shown = Omit<AgentRecord, "schema_version" | "since">;

export function hasEnded({ state }: Pick<AgentRecord, "state">): boolean {
  return state === "clean" || state === "fatal" || state === "failed";
}

/** `before`: the record so far; what did not change keeps its instant (R1). */
export function agentRecord(worker: Worker, before: AgentRecord | null, now: Instant): AgentRecord {
  const shown = shownOf(worker);
  const isSame = before !== null && before.state === shown.state && before.todo_id === shown.todo_id;
  return { schema_version: AGENT_SCHEMA, ...shown, since: isSame ? before.since : now };
}

function shownOf({ agent_id, phase, turns, restarts, last }: Worker): Shown {
  const nothing = { why: null, pid: null, goal_id: null, todo_id: null, turn_id: null, text: null, fix: null, next_at: null };
  const common = { ...nothing, agent_id, turns, restarts, last_result: last };
  switch (phase.kind) {
    case "due":
      return {
        ...common,
        state: phase.why === "start" ? "due" : "held_back",
        why: phase.message ?? phase.why,
        next_at: phase.at,
      };
    case "starting":
      return { ...common, state: "starting" };
    case "running":
      return { ...common, pid: phase.pid, ...doingOf(phase.doing) };
    case "ending":
      return { ...common, state: "ending", pid: phase.pid };
    case "ended":
      return { ...common, state: phase.outcome, why: phase.message, fix: phase.fix };
  }
}

function doingOf(doing: Doing): Pick<Shown, "state"> & Partial<Shown> {
  switch (doing.kind) {
    case "working": {
      const { kind, ...names } = doing;
      return { state: kind, ...names };
    }
    case "waiting":
      return { state: "waiting", why: doing.message ?? doing.why };
    case "idle":
      return { state: "idle", why: doing.message ?? doing.why };
    // Between two turns: as it was before, in all that is kept.
    default:
      return { state: doing.kind };
  }
}

type Standing = Omit<
  SessionRecord,
  "schema_version" | "status" | "cool_down_until" | "attention" | "ended_at" | "exit" | "outcome"
>;

export function sessionRecord(standing: Standing, { mode, cool_down, attention }: Team): SessionRecord {
  return {
    schema_version: SESSION_SCHEMA,
    ...standing,
    status: mode.kind,
    cool_down_until: cool_down?.until ?? null,
    attention,
    ended_at: null,
    exit: null,
    outcome: null,
  };
}

/** A record that another version wrote is taken as far as it names the supervisor. */
export function isSessionRecord(value: unknown): value is SessionRecord {
  if (typeof value !== "object" || value === null) return false;
  const { schema_version, pid, started, boot_id, marker } = value as Partial<Record<keyof SessionRecord, unknown>>;
  return (
    schema_version === SESSION_SCHEMA &&
    Number.isSafeInteger(pid) &&
    [started, boot_id, marker].every((text) => typeof text === "string" && text.length <= 200) &&
    Array.isArray((value as Partial<SessionRecord>).attention)
  );
}

export function isAgentRecord(value: unknown): value is AgentRecord {
  return typeof value === "object" && value !== null && "schema_version" in value && value.schema_version === AGENT_SCHEMA;
}
