/**
 * One worker of a team, as its supervisor sees it.
 *
 * Does not own: what moves it (`supervise.ts`), its process (adapters), its records on the disk (`records.ts`).
 *
 * W1  A phase has exactly the facts that belong to it: a worker that waits to be started has no process, one that has ended no deadline.
 */
import type { AgentId } from "../id.ts";
import type { Instant } from "../instant.ts";

/** Why a worker is not there yet. */
export type Waiting =
  | "start"
  | "backoff"
  | "rate_limited"
  | "fresh_turn"
  /** The system is busier than the team may make it. */
  | "load"
  /** No goal may have one more running task. */
  | "limits";

/** What a worker said last that it does. */
export type Doing =
  | { readonly kind: "starting" | "deciding" }
  | { readonly kind: "waiting"; readonly why: string; readonly message?: string; readonly until: Instant }
  | { readonly kind: "idle"; readonly why: string; readonly message?: string }
  | {
      readonly kind: "working";
      readonly goal_id: string;
      readonly todo_id: string | null;
      readonly turn_id: string;
      readonly text: string;
    };

export interface LastResult {
  readonly at: Instant;
  /** `failed`, or how the turn settled. */
  readonly outcome: string;
  readonly message: string;
}

/** How it was for good: `clean` has done what it was to do, `fatal` waits for a person, `failed` was given up. */
export interface Ended {
  readonly kind: "ended";
  readonly at: Instant;
  readonly outcome: "clean" | "fatal" | "failed";
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

export type Phase =
  | { readonly kind: "due"; readonly at: Instant; readonly why: Waiting; readonly message: string | null }
  | { readonly kind: "starting" }
  | Running
  /** Told to end; made to at `kill_at`. */
  | { readonly kind: "ending"; readonly pid: number; readonly kill_at: Instant; readonly after: After }
  | Ended;

export interface Running {
  readonly kind: "running";
  readonly pid: number;
  readonly since: Instant;
  readonly doing: Doing;
  /** Since when it waits for something to do; null: it does not. */
  readonly rests_since: Instant | null;
  /** When it ought to have said something by; null: it waits for others. */
  readonly speak_by: Instant | null;
  readonly nudged: "no" | "yes";
}

export type After =
  | { readonly kind: "end" }
  | { readonly kind: "fresh" }
  | { readonly kind: "give_up"; readonly code: string; readonly message: string };

/** What a worker says when it ends by itself. */
export interface SaidEnd {
  readonly reason: string;
  readonly message: string;
  readonly code: string | null;
  readonly fix: string | null;
  readonly until: Instant | null;
}

export interface Worker {
  readonly agent_id: AgentId;
  readonly phase: Phase;
  readonly said: SaidEnd | null;
  readonly turns: number;
  /** Of them, those of processes that it had before. */
  readonly turns_before: number;
  /** Times that it was started again. */
  readonly restarts: number;
  /** When it failed since its last turn that settled. */
  readonly setbacks: readonly Instant[];
  /** Whether it was given a fresh process already because it did not move. */
  readonly refreshed: "no" | "yes";
  readonly last: LastResult | null;
  /** The kind of failure that its last turn ended with; null: it settled. */
  readonly failed_as: string | null;
}

export function newWorker(agent_id: AgentId, at: Instant): Worker {
  return {
    agent_id,
    phase: { kind: "due", at, why: "start", message: null },
    said: null,
    turns: 0,
    turns_before: 0,
    restarts: 0,
    setbacks: [],
    refreshed: "no",
    last: null,
    failed_as: null,
  };
}

export function hasProcess({ phase }: Worker): boolean {
  return phase.kind === "running" || phase.kind === "ending" || phase.kind === "starting";
}
