/**
 * Processes of this machine: running a program with everything that it starts, and telling whether one still runs.
 *
 * Does not own: which program (`ports/agent-host.ts`), what its output means (`core/host`).
 */
import type { OutputSource } from "../core/host/host-event.ts";
import type { OutputLine } from "../core/host/output-stream.ts";
import type { NotStarted, ProcessEnd } from "../core/host/process-end.ts";
import type { RunArgv } from "../core/host/run-argv.ts";
import type { Environment } from "../core/host/turn-env.ts";

export interface GroupLimits {
  readonly idle_ms: number | null;
  readonly hard_ms: number;
  readonly grace_ms: number;
  /** Of one line; the rest of a longer one is dropped. */
  readonly line_bytes: number;
  /** Of each stream; what follows is dropped. */
  readonly output_bytes: number;
}

export interface GroupRequest {
  readonly argv: RunArgv;
  readonly cwd: string;
  /** All of it: nothing is added. */
  readonly env: Environment;
  readonly stdin: string | null;
  /** Variables of `env` by which processes that left the group are found. */
  readonly marks: Environment;
  readonly limits: GroupLimits;
  /** Where the output is kept, masked; null: nowhere. */
  readonly log_path: string | null;
  /** Ends the group. */
  readonly signal: AbortSignal;
  readonly onLine: (line: OutputLine, source: OutputSource) => void;
}

export interface GroupRun {
  readonly kind: "ran";
  readonly end: ProcessEnd;
  readonly wall_ms: number;
  /** Bytes that no line showed. */
  readonly dropped_bytes: number;
  /** Processes that the program left behind and that were ended. */
  readonly swept: number;
  /** Why the log has not everything; null when it has. */
  readonly log_flaw: string | null;
}

export interface ProcessGroups {
  /** Answers when the program and everything that it started has ended; a machine that can start no process is a `Fault`. */
  run(request: GroupRequest): Promise<GroupRun | NotStarted>;
  /** Ends every process that carries the marks, this one excepted; answers how many there were. */
  sweep(marks: Environment, grace_ms: number): Promise<number>;
}

/** A process, and no other one that gets its number later. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** Of the machine, from its start on; empty where the system has none. */
  readonly boot_id: string;
}

export interface ProcessIdentities {
  self(): ProcessIdentity;
  /** Null when there is no such process. */
  of(pid: number): ProcessIdentity | null;
  isAlive(identity: ProcessIdentity): boolean;
}

export interface SystemLoad {
  /** Processes that ran or wanted to, over the last minute; 0 where the system does not tell. */
  readonly one_minute: number;
  readonly cores: number;
  readonly per_core: number;
}
