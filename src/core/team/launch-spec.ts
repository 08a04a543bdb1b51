/**
 * What a team is launched with, and the arguments that say it to the programs that are started.
 *
 * Does not own: whether it can be carried out (`commands/launch.ts`), how people spell it (surfaces).
 *
 * L1  Every value goes to a program as an argument of its own, joined to its option: no value is taken for an option, and no shell is between.
 * L2  The spec and its arguments say the same: the supervisor that `--detach` starts gets all of it.
 */
import type { AgentId, GoalId } from "../id.ts";

export interface LaunchSpec {
  /** Names the team in its runtime root: a path segment. */
  readonly session: string;
  readonly agents: readonly AgentId[];
  /** Empty: every active goal. */
  readonly goals: readonly GoalId[];
  readonly host: string;
  /** JSON text of a list of arguments; null: the todo or goal names its own. */
  readonly host_command: string | null;
  readonly validation_command: string | null;
  readonly accept_unvalidated: boolean;
  /** Absolute; null: the folder of each goal. */
  readonly workspace: string | null;
  readonly max_turns: number | null;
  readonly turn_timeout_s: number | null;
  /** The longest time that a host may print nothing; null: as long as its turn. */
  readonly turn_idle_timeout_s: number | null;
  /** Of the whole team; null is `never`: it waits for work. */
  readonly idle_exit_s: number | "never" | null;
  readonly grace_s: number | null;
  readonly max_load: number | null;
  readonly max_restarts: number | null;
  readonly backoff_min_s: number | null;
  readonly backoff_max_s: number | null;
}

export interface Places {
  readonly registry: string;
  readonly runtime_root: string;
}

interface WorkerNames extends Places {
  readonly agent_id: AgentId;
  readonly log_folder: string;
  /** Of `max_turns`, those that it did not take yet. */
  readonly turns_left: number | null;
}

/** (L1) */
export function workerArguments(spec: LaunchSpec, names: WorkerNames): readonly string[] {
  return [
    "run",
    "--worker",
    ...placeOptions(names),
    `--agent-id=${names.agent_id}`,
    ...workOptions(spec),
    // The team ends together, or not at all.
    "--idle-exit=never",
    ...option("log-dir", names.log_folder),
    ...option("turns", names.turns_left),
  ];
}

/** (L2) */
export function supervisorArguments(spec: LaunchSpec, places: Places): readonly string[] {
  return [
    "launch",
    "--foreground",
    ...placeOptions(places),
    `--session=${spec.session}`,
    ...spec.agents.map((id) => `--agent=${id}`),
    ...workOptions(spec),
    ...option("max-turns", spec.max_turns),
    ...option("idle-exit", spec.idle_exit_s),
    ...option("grace", spec.grace_s),
    ...option("max-load", spec.max_load),
    ...option("max-restarts", spec.max_restarts),
    ...option("backoff-min", spec.backoff_min_s),
    ...option("backoff-max", spec.backoff_max_s),
  ];
}

/** (L2) For people: the agents by number where they have no other names. */
export function relaunchArguments(spec: LaunchSpec, places: Places): readonly string[] {
  const [launch = "launch", , ...options] = supervisorArguments(spec, places);
  const isNumbered = spec.agents.every((id, index) => id === `agent-${index + 1}`);
  if (!isNumbered) return [launch, ...options];
  return [launch, `--agents=${spec.agents.length}`, ...options.filter((option) => !option.startsWith("--agent="))];
}

function placeOptions({ registry, runtime_root }: Places): readonly string[] {
  return [`--registry=${registry}`, `--runtime-root=${runtime_root}`];
}

function workOptions(spec: LaunchSpec): readonly string[] {
  return [
    ...spec.goals.map((id) => `--goal-id=${id}`),
    ...option("host", spec.host),
    ...option("host-command-json", spec.host_command),
    ...option("validation-command-json", spec.validation_command),
    ...(spec.accept_unvalidated ? ["--accept-unvalidated"] : []),
    ...option("workspace", spec.workspace),
    ...option("turn-timeout", spec.turn_timeout_s),
    ...option("turn-idle-timeout", spec.turn_idle_timeout_s),
  ];
}

/** Nothing for what the record of an older version does not have. */
function option(name: string, value: string | number | null | undefined): readonly string[] {
  return value === null || value === undefined ? [] : [`--${name}=${value}`];
}
