/** What is asked of a launch, what it answers, and who watches it. */
import type { LaunchAsked } from "../core/team/launch-request.ts";
import type { LaunchSpec } from "../core/team/launch-spec.ts";
import type { AgentRecord, SessionRecord } from "../core/team/records.ts";
import type { TeamNote, TeamOutcome } from "../core/team/team.ts";

export interface LaunchRequest extends LaunchAsked {
  /** Register agents that a goal does not know yet. */
  readonly register: boolean;
  /** Absolute: a launch spec of the reference, which names goal and agents. */
  readonly spec: string | null;
  readonly mode: "foreground" | "detach";
  readonly dryRun: boolean;
}

/** What is left out is as by default. */
export const UNASKED: LaunchRequest = {
  agents: null,
  agentIds: [],
  goalIds: [],
  host: null,
  hostCommand: null,
  validationCommand: null,
  acceptUnvalidated: false,
  workspace: null,
  maxTurns: null,
  turnTimeoutSeconds: null,
  turnIdleTimeoutSeconds: null,
  idleExit: null,
  graceSeconds: null,
  maxLoad: null,
  maxRestarts: null,
  backoffMinSeconds: null,
  backoffMaxSeconds: null,
  session: null,
  register: false,
  spec: null,
  mode: "foreground",
  dryRun: false,
};

export interface LaunchPlan {
  readonly spec: LaunchSpec;
  readonly goals: readonly string[];
  readonly registry: string;
  readonly runtime_root: string;
  readonly folder: string;
  /** Agents that are put into the registry, by goal. */
  readonly registers: Readonly<Record<string, readonly string[]>>;
}

export type LaunchAnswer =
  | { readonly kind: "planned"; readonly plan: LaunchPlan }
  | { readonly kind: "detached"; readonly plan: LaunchPlan; readonly pid: number }
  | { readonly kind: "over"; readonly plan: LaunchPlan; readonly ending: TeamEnding };

export interface Launching extends TeamAudience {
  readonly onPlan: (plan: LaunchPlan) => void;
}

export interface TeamView {
  readonly session: SessionRecord;
  readonly agents: readonly AgentRecord[];
  readonly load: number;
}

/** Whoever shows the team, and asks it to end. */
export interface TeamAudience {
  readonly onChange: (view: TeamView, notes: readonly TeamNote[]) => void;
  /** Calls for each signal to this process; the answer ends it. */
  readonly onSignal: (listener: (signal: TeamSignal) => void) => () => void;
}

export type TeamSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface TeamEnding extends TeamView {
  readonly outcome: TeamOutcome | TeamSignal;
}
