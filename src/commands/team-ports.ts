/** What launching and asking after teams needs of the world, beside the workspace. */

import type { Random } from "../core/host/backoff.ts";
import type { Reply } from "../core/result.ts";
import type { TurnPlaces } from "../ports/agent-host.ts";
import type { ProcessGroups, ProcessIdentities, SystemLoad } from "../ports/process.ts";
import type { Log } from "../ports/system.ts";
import type { Detached, SessionFolder, SessionFolders, WorkerProcesses } from "../ports/team.ts";
import type { Scheduler } from "./scheduler.ts";

export interface TeamWorld {
  readonly folders: SessionFolders;
  readonly workers: WorkerProcesses;
  readonly detached: Detached;
  readonly processes: Pick<ProcessGroups, "sweep">;
  readonly identities: ProcessIdentities;
  readonly places: Pick<TurnPlaces, "workspaceFlaw" | "findProgram">;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly load: () => SystemLoad;
  /** This program: what workers and detached supervisors are started with. */
  readonly program: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** Asks a process to end; false when it is not there. */
  readonly signal: (pid: number, signal: "SIGTERM" | "SIGKILL") => boolean;
  readonly hosts: readonly string[];
  /** Found without a registry where it is named. */
  readonly runtimeRoot: () => Reply<string>;
}

export interface TeamPorts
  extends Pick<TeamWorld, "workers" | "processes" | "identities" | "scheduler" | "random" | "load" | "program"> {
  readonly folder: SessionFolder;
  readonly log: Log;
}
