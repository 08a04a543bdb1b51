/** One thing that was asked, and everything that came of it: what the checks look at. */
import type { GoalEvent, TodoRecord } from "../events.ts";
import type { GoalHead } from "../goal/head.ts";
import type { TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import type { Decision, DecisionRequest, DecisionState } from "../next/decision.ts";
import type { DecisionPayload } from "../show/decision.ts";
import type { SimRequest } from "./request.ts";

export interface Decided {
  readonly state: DecisionState;
  readonly request: DecisionRequest;
  readonly now: Instant;
  readonly decision: Decision;
  readonly payload: DecisionPayload;
}

export interface Step {
  /** From 1. */
  readonly number: number;
  readonly request: SimRequest;
  /** Real milliseconds since the beginning. */
  readonly passed: number;
  readonly wall: Instant;
  /** The instant that was judged by. */
  readonly at: Instant;
  /** As the store gave it. */
  readonly before: GoalHead | null;
  /** What was stored; empty where nothing was. */
  readonly events: readonly GoalEvent[];
  /** What was stored with the events. */
  readonly head: GoalHead | null;
  readonly put: readonly TodoRecord[];
  readonly removed: readonly TodoId[];
  readonly refused: string | null;
  /** The answer of an earlier request in the same words. */
  readonly replayed: boolean;
  /** The commit failed: nothing may have happened. */
  readonly failed: boolean;
  readonly decided: Decided | null;
  /** What a turn was answered when it was opened. */
  readonly turn_answer: string | null;
  /** Of the newest event in the store, before and after. */
  readonly positions: readonly [before: string | null, after: string | null];
}

export interface Flaw {
  /** As in the list of invariants: `I1`, `starvation`. */
  readonly invariant: string;
  readonly message: string;
}

export function flaw(invariant: string, message: string): Flaw {
  return { invariant, message };
}
