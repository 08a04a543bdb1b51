/** What turns of agents are run with. */
import type { Random } from "../core/host/backoff.ts";
import type { RunArgv } from "../core/host/run-argv.ts";
import type { AgentHost, HostLimits } from "../ports/agent-host.ts";
import type { ProcessIdentities } from "../ports/process.ts";
import type { TurnRecords } from "../ports/turn-records.ts";
import type { HostTurnPorts } from "./host-turn.ts";

export interface RunPorts extends HostTurnPorts {
  readonly hosts: Readonly<Record<string, AgentHost>>;
  readonly records: TurnRecords;
  readonly identities: ProcessIdentities;
  readonly random: Random;
}

/** The same for all turns of one execution. */
export interface TurnSettings {
  readonly host: AgentHost;
  /** In place of what the todo or the goal names: JSON text of a list of arguments. */
  readonly run: string | null;
  /** Has to end well before a completion counts, beside the checks of the todo. */
  readonly validation: RunArgv | null;
  /** Whether a todo without any check may be worked on. */
  readonly unvalidated: "refuse" | "accept";
  /** Null: the folder of the goal. */
  readonly workspace: string | null;
  readonly limits: Partial<HostLimits>;
  readonly ttl_ms: number;
  /** Which execution of the agent this is. */
  readonly instance: string;
  readonly session_marker: string;
  /** Null: the output of hosts is not kept. */
  readonly log_dir: string | null;
  readonly capabilities: readonly string[];
}
