/**
 * Why a host's turn came to nothing, and what follows from each reason.
 *
 * Does not own: carrying it out (the turn runner, the supervisor), how a reason is found (`judge-turn.ts`).
 *
 * K1  One table says what follows; nobody else asks what kind a failure is in order to decide.
 * K2  What only a person can put right is not tried again before they did; what time puts right asks nobody.
 * K3  A limit of the host is nobody's lack of progress, and all agents of the team share it.
 * K4  What is worth trying again at once is so the first time; in a row it is a failure like others.
 * K5  No wait is longer than `MAX_WAIT_MS`: an instant that a host names is believed so far and no further.
 */
import { epochOf, type Instant, instantFromEpoch } from "../instant.ts";
import type { Problem } from "../result.ts";
import { type Backoff, fullJitter, type Random } from "./backoff.ts";
import type { Setback } from "./host-event.ts";

export type HostFailure =
  | Setback
  | { readonly kind: "host_missing"; readonly program: string; readonly why: "not_found" | "not_executable" }
  | { readonly kind: "timeout_idle" | "timeout_hard"; readonly after_ms: number }
  /** `problems` empty: nothing was said at all. */
  | { readonly kind: "output_invalid"; readonly problems: readonly Problem[] }
  | { readonly kind: "crashed"; readonly cause: CrashCause };

export type CrashCause =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  /** Whoever ran the host ended before it did. */
  | { readonly kind: "unknown" };

export type HostFailureKind = HostFailure["kind"];

export interface Reaction {
  /** `never`: not before a person did something. */
  readonly retry: "never" | "after_backoff" | "at_once_in_new_session";
  readonly backoff: Backoff;
  /** Who pauses: the agent whose turn it was, or every agent of the team. */
  readonly cool_down: "agent" | "team";
  readonly ask: "person" | "nobody";
  /** Whether it counts as a turn without progress. */
  readonly stall: "counts" | "does_not_count";
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NONE: Backoff = { base_ms: 0, max_ms: 0 };
const SHORT: Backoff = { base_ms: SECOND, max_ms: 5 * MINUTE };
const LONG: Backoff = { base_ms: 30 * SECOND, max_ms: 15 * MINUTE };
/** Limits of a week exist. */
export const MAX_WAIT_MS: number = 8 * 24 * 60 * MINUTE;

const FOR_A_PERSON = { retry: "never", backoff: NONE, ask: "person" } as const;
const AGAIN = { retry: "after_backoff", backoff: SHORT, cool_down: "agent", ask: "nobody", stall: "counts" } as const;

/** K1, K2, K3. */
const REACTIONS: Readonly<Record<HostFailureKind, Reaction>> = {
  host_missing: { ...FOR_A_PERSON, cool_down: "team", stall: "does_not_count" },
  auth_failed: { ...FOR_A_PERSON, cool_down: "team", stall: "does_not_count" },
  budget: { ...FOR_A_PERSON, cool_down: "team", stall: "does_not_count" },
  refused: { ...FOR_A_PERSON, cool_down: "agent", stall: "counts" },
  rate_limited: { retry: "after_backoff", backoff: LONG, cool_down: "team", ask: "nobody", stall: "does_not_count" },
  timeout_idle: AGAIN,
  timeout_hard: AGAIN,
  output_invalid: AGAIN,
  crashed: AGAIN,
  session_missing: { ...AGAIN, retry: "at_once_in_new_session", backoff: NONE, stall: "does_not_count" },
};

/** `attempt`: failures of this kind in a row before this one. */
export function reactionTo(kind: HostFailureKind, attempt = 0): Reaction {
  return attempt > 0 && kind === "session_missing" ? AGAIN : REACTIONS[kind]; // (K4)
}

export interface Waiting {
  /** Failures of this kind in a row before this one. */
  readonly attempt: number;
  readonly now: Instant;
  readonly random: Random;
}

/** When to try again; null when only a person can make it worth trying. */
export function retryAt(failure: HostFailure, { attempt, now, random }: Waiting): Instant | null {
  const { retry, backoff } = reactionTo(failure.kind, attempt);
  if (retry === "never") return null;
  const named = failure.kind === "rate_limited" && failure.until !== null ? epochOf(failure.until) - epochOf(now) : 0;
  const wait = Math.min(MAX_WAIT_MS, Math.max(0, named) + fullJitter(backoff, named > 0 ? 0 : attempt, random)); // (K5)
  return instantFromEpoch(epochOf(now) + wait) ?? now;
}

/** The cause in one sentence. */
export function failureText(failure: HostFailure): string {
  switch (failure.kind) {
    case "host_missing":
      return failure.why === "not_found"
        ? `There is no program ${failure.program}.`
        : `${failure.program} cannot be started as a program.`;
    case "rate_limited":
      return failure.until === null ? "The host is rate-limited." : `The host is rate-limited until ${failure.until}.`;
    case "auth_failed":
    case "budget":
    case "refused":
    case "session_missing":
      return `${SETBACK_TEXT[failure.kind]}${failure.detail === null ? "" : `: ${failure.detail}`}.`;
    case "timeout_idle":
      return `The host printed nothing for ${secondsOf(failure.after_ms)} and was stopped.`;
    case "timeout_hard":
      return `The host ran for ${secondsOf(failure.after_ms)}, which is the limit of a turn, and was stopped.`;
    case "output_invalid":
      return outputText(failure.problems);
    case "crashed":
      return crashText(failure.cause);
  }
}

function crashText(cause: CrashCause): string {
  if (cause.kind === "unknown") return "The turn was cut off while the host ran; what came of it is not known.";
  return `The host ended with ${cause.kind === "exit" ? `exit status ${cause.code}` : cause.signal}.`;
}

const SETBACK_TEXT = {
  auth_failed: "The host is not signed in",
  budget: "The host's budget is used up",
  refused: "The host refused the work",
  session_missing: "The host does not know the session any more",
} as const;

function outputText([first]: readonly Problem[]): string {
  if (first === undefined) return "The host ended without saying what came of the turn.";
  const path = first.path === undefined ? "it" : first.path;
  return `The result of the turn cannot be used: ${path} ${first.message}.`;
}

function secondsOf(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
