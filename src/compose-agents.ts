/** The part of the composition root that runs turns of agents: loaded when one is run, or hands over its result. */
import { commandHost } from "./adapters/agents/command-host.ts";
import { processGroups } from "./adapters/agents/process-group.ts";
import { programFolder } from "./adapters/agents/program-folder.ts";
import { turnPlaces } from "./adapters/agents/turn-places.ts";
import { fileTurnRecords } from "./adapters/agents/turn-records.ts";
import { processIdentities } from "./adapters/system/process-identity.ts";
import { timers } from "./adapters/system/timers.ts";
import type { SubmitTurnPorts } from "./commands/submit-turn.ts";
import type { RunPorts } from "./commands/turn-ports.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Of a turn's output, and of the part that made room for it, each. */
const LOG_BYTES = 4 * 1024 * 1024;

export function agentsIn(runtime_root: string, env: Environment): RunPorts {
  return {
    hosts: { [commandHost.name]: commandHost },
    processes: processGroups({ log_bytes: LOG_BYTES }),
    places: turnPlaces,
    records: fileTurnRecords({ runtime_root }),
    identities: processIdentities(),
    scheduler: timers,
    env: { ...env, PATH: programFolder(runtime_root, env["PATH"] ?? "") },
    random: Math.random,
  };
}

export function submittingIn(env: Environment): SubmitTurnPorts {
  return { places: turnPlaces, env };
}
