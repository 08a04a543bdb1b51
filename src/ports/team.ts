/**
 * What the supervisor of a team needs of the world: its workers' processes and the folder of its session.
 *
 * Does not own: what is done with them (`commands/launch-team.ts`, `core/team`).
 */

import type { Environment } from "../core/host/turn-env.ts";
import type { WorkerOrder, WorkerReport } from "../core/host/worker-protocol.ts";
import type { Problem } from "../core/result.ts";
import type { AgentRecord, SessionRecord } from "../core/team/records.ts";
import type { WorkerEnd } from "../core/team/team.ts";
import type { ProcessIdentity } from "./process.ts";

export interface WorkerStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of it: nothing is added. */
  readonly env: Environment;
  /** Of what it says beside its reports; masked, bounded, for its owner alone. */
  readonly log_path: string;
}

/** Each is called from a turn of the event loop of its own; `ended` is the last. */
export interface WorkerWatch {
  readonly started: (pid: number) => void;
  readonly report: (report: WorkerReport) => void;
  readonly ended: (end: WorkerEnd) => void;
}

export interface WorkerHandle {
  tell(order: WorkerOrder): void;
  /** With everything in its process group. */
  kill(): void;
}

/** A worker that this process leaves behind sees the end of its orders and stops. */
export interface WorkerProcesses {
  start(start: WorkerStart, watch: WorkerWatch): WorkerHandle;
}

/** What is asked of a supervisor from outside. */
export type SessionOrder =
  | { readonly do: "drain" | "stop" }
  /** Null: all. */
  | { readonly do: "wake"; readonly agent_id: string | null };

export type Taken =
  | { readonly kind: "taken" }
  /** By a supervisor that lives. */
  | { readonly kind: "held"; readonly by: ProcessIdentity }
  | { readonly kind: "refused"; readonly problem: Problem };

/** One file at a time of those that a session's logs are. */
export interface LogFile {
  readonly agent_id: string;
  readonly path: string;
  readonly size: number;
  readonly modified_ms: number;
}

export interface SessionFolder {
  readonly path: string;
  /** Makes the folder, and this process the only supervisor of the session. */
  take(self: ProcessIdentity, isAlive: (identity: ProcessIdentity) => boolean): Taken;
  /** The supervisor that has it, or had it last; null: none. */
  holder(): ProcessIdentity | null;
  /** Null: there is none that can be read. */
  session(): SessionRecord | null;
  agents(): readonly AgentRecord[];
  /** Of all agents: a worker puts what its hosts print in the folder of its agent there. */
  readonly log_folder: string;
  logFolder(agentId: string): string;
  logs(): readonly LogFile[];
  /** Bytes of a log as text; shorter at its end. */
  readLog(path: string, from: number, length: number): string;
  /** Whole or not at all; what cannot be written is answered, never thrown. */
  writeSession(record: SessionRecord): Problem | null;
  writeAgent(record: AgentRecord): Problem | null;
  /** Of agents that the session has no more. */
  removeAgents(except: readonly string[]): void;
  /** One line; the file is bounded. */
  append(event: object): Problem | null;
  /** The last lines, oldest first. */
  events(limit: number): readonly string[];
  /** Calls for each order that comes in; the answer ends it. */
  onOrder(listener: (order: SessionOrder) => void): () => void;
  /** Resolves with whether the supervisor took it in time. */
  give(order: SessionOrder, wait_ms: number): Promise<"taken" | "not_taken">;
  readonly supervisor_log: string;
}

export type SessionFolders = (runtime_root: string, session: string) => SessionFolder;

export interface DetachedStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Environment;
  readonly log_path: string;
}

/** Starts a program that goes on when this one has ended. */
export interface Detached {
  /** `ended` tells whether it has ended since, and how. */
  start(start: DetachedStart): Promise<{ readonly pid: number; readonly ended: () => WorkerEnd | null } | Problem>;
}
