/** A team as a value, what happens to it, and what follows: the vocabulary of `supervise.ts`. */
import type { Random } from "../host/backoff.ts";
import type { WorkerOrder, WorkerReport } from "../host/worker-protocol.ts";
import type { AgentId } from "../id.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import type { TeamSettings } from "./settings.ts";
import { newWorker, type Worker } from "./worker.ts";

/** All agents of the team share the host's limit. */
export interface CoolDown {
  readonly until: Instant;
  /** Cool-downs in a row before this one. */
  readonly attempt: number;
}

/** For a person: what only they can put right. */
export interface Attention {
  readonly at: Instant;
  readonly agent_id: AgentId;
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

export interface Team {
  readonly settings: TeamSettings;
  readonly workers: readonly Worker[];
  readonly mode:
    | { readonly kind: "running" }
    /** No new turns; at `stop_at` no more turns at all. */
    | { readonly kind: "draining"; readonly stop_at: Instant }
    | { readonly kind: "stopping" };
  readonly cool_down: CoolDown | null;
  /** Of all workers since the last turn that settled. */
  readonly setbacks: readonly Instant[];
  readonly breaker: "closed" | "tripped";
  readonly attention: readonly Attention[];
}

/** How a process ended: with a status, by a signal, or without having begun. */
export type WorkerEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "not_started"; readonly message: string };

export type TeamEvent =
  | { readonly kind: "tick" }
  | { readonly kind: "started"; readonly agent_id: AgentId; readonly pid: number }
  | { readonly kind: "report"; readonly agent_id: AgentId; readonly report: WorkerReport }
  | { readonly kind: "ended"; readonly agent_id: AgentId; readonly end: WorkerEnd }
  | { readonly kind: "asked"; readonly what: "drain" | "stop" }
  /** Null: all. */
  | { readonly kind: "wake"; readonly agent_id: AgentId | null };

export type TeamOrder =
  | { readonly do: "spawn"; readonly agent_id: AgentId }
  | { readonly do: "tell"; readonly agent_id: AgentId; readonly order: WorkerOrder }
  | { readonly do: "kill"; readonly agent_id: AgentId };

/** A line of the session's events. */
export interface TeamNote {
  readonly event: string;
  readonly at: Instant;
  readonly agent_id: AgentId | null;
  readonly [fact: string]: unknown;
}

export interface Around {
  readonly now: Instant;
  readonly random: Random;
  /** Per core. */
  readonly load: number;
  /** Why no goal may have one more running task; null: one may. Asked only when a worker is due. */
  readonly bar: () => string | null;
}

export interface Step {
  readonly team: Team;
  readonly orders: readonly TeamOrder[];
  readonly notes: readonly TeamNote[];
}

/** Each start a little later than the one before; the last half of each step is random. */
export function newTeam(
  agents: readonly AgentId[],
  settings: TeamSettings,
  { now, random }: Pick<Around, "now" | "random">,
): Team {
  const at = (index: number): Instant =>
    index === 0 ? now : addMilliseconds(now, Math.round(settings.stagger_ms * (index - random() / 2)));
  return {
    settings,
    workers: agents.map((agent_id, index) => newWorker(agent_id, at(index))),
    mode: { kind: "running" },
    cool_down: null,
    setbacks: [],
    breaker: "closed",
    attention: [],
  };
}

/** Since when nobody of those that are left has anything to do; null: somebody has, or will have. */
export function restsSince({ workers }: Pick<Team, "workers">): Instant | null {
  let since: Instant | null = null;
  for (const { phase } of workers) {
    if (phase.kind === "ended") continue;
    if (phase.kind !== "running" || phase.rests_since === null) return null;
    if (since === null || phase.rests_since > since) since = phase.rests_since;
  }
  return since;
}

export function isOver({ workers }: Team): boolean {
  return workers.every(({ phase }) => phase.kind === "ended");
}

/** When the clock alone will change something. */
export function nextInstant({ workers, mode, settings }: Team): Instant | null {
  const instants = workers.flatMap(({ phase }) => instantOf(phase) ?? []);
  const rests = settings.idle_ms === null || mode.kind !== "running" ? null : restsSince({ workers });
  if (rests !== null) instants.push(addMilliseconds(rests, settings.idle_ms ?? 0));
  if (mode.kind === "draining") instants.push(mode.stop_at);
  return instants.reduce<Instant | null>((first, at) => (first === null || at < first ? at : first), null);
}

function instantOf(phase: Worker["phase"]): Instant | null {
  switch (phase.kind) {
    case "due":
      return phase.at;
    case "running":
      return phase.speak_by;
    case "ending":
      return phase.kill_at;
    default:
      return null;
  }
}

export type TeamOutcome = "clean" | "fatal" | "breaker";

export function outcomeOf({ workers, breaker }: Team): TeamOutcome {
  const has = (outcome: string): boolean => workers.some(({ phase }) => phase.kind === "ended" && phase.outcome === outcome);
  if (breaker === "tripped" || has("failed")) return "breaker";
  return has("fatal") ? "fatal" : "clean";
}
