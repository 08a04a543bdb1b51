/** The part of the composition root that launches teams: loaded when one is launched or asked after. */
import { commandHost } from "./adapters/agents/command-host.ts";
import { detached } from "./adapters/agents/detached.ts";
import { processGroups } from "./adapters/agents/process-group.ts";
import { sessionFolder } from "./adapters/agents/session-folder.ts";
import { turnPlaces } from "./adapters/agents/turn-places.ts";
import { workerProcesses } from "./adapters/agents/worker-processes.ts";
import { systemLoad } from "./adapters/system/load.ts";
import { processIdentities } from "./adapters/system/process-identity.ts";

import { sendSignal } from "./adapters/system/signals.ts";
import { timers } from "./adapters/system/timers.ts";
import type { TeamWorld } from "./commands/team-ports.ts";
import { VERSION } from "./version.ts";

/** Of a log and its predecessor, each. */
const LOG_BYTES = 2 * 1024 * 1024;

export interface TeamPlace {
  readonly env: TeamWorld["env"];
  readonly cwd: string;
  readonly program: TeamWorld["program"];
  readonly runtimeRoot: TeamWorld["runtimeRoot"];
}

export function teamWorld(place: TeamPlace): TeamWorld {
  return {
    ...place,
    folders: sessionFolder,
    workers: workerProcesses({ log_bytes: LOG_BYTES }),
    detached,
    processes: processGroups({ log_bytes: LOG_BYTES }),
    identities: processIdentities(),
    places: turnPlaces,
    scheduler: timers,
    random: Math.random,
    load: systemLoad,
    version: VERSION,
    signal: sendSignal,
    hosts: [commandHost.name],
  };
}
