/**
 * What a turn leads to, from what its host came to: one table for results, one for failures.
 *
 * Does not own: whether a completion is true (the todo's checks), writing it (`commands/settle-turn.ts`), how long to wait
 * (`failure.ts`).
 *
 * E1  Only a completion closes a todo, and only after it was verified.
 * E2  What is nobody's lack of progress is written about nobody: it counts against no todo.
 * E3  A turn that needs a person leaves a question that holds up its todo until it is answered.
 * E4  A todo that is finished names what follows, in this order: what the turn said; the todos of the plan that wait for it; that
 *     none does, with what the turn said of its work. Nothing is made up.
 */
import type { Instant } from "../instant.ts";
import { sha1Hex } from "../sha1.ts";
import { failureText, type HostFailure, reactionTo } from "./failure.ts";
import type { HostWord, TurnEnd } from "./turn-record.ts";
import type { TurnResult } from "./turn-result.ts";
import type { ReportedFailure } from "./worker-protocol.ts";

export interface Ending {
  readonly end: TurnEnd;
  readonly summary: string;
  /** What was seen; null: what the checks of the todo show. */
  readonly observation: string | null;
  /** E2. */
  readonly about: "todo" | "nobody";
  readonly spend: "turn" | "tokens";
  /** The text of the question to a person (E3). */
  readonly ask: string | null;
  /** The todo waits until then. */
  readonly wait_until: Instant | null;
  readonly failure: ReportedFailure | null;
}

const PLAIN = { observation: null, about: "todo", spend: "tokens", ask: null, wait_until: null, failure: null } as const;

/** A completion is handled by finishing the todo; its ending is what holds when that is refused as not verified. */
export function endingOf(word: HostWord): Ending {
  switch (word.kind) {
    case "result":
      return endingOfResult(word.result);
    case "failed":
      return endingOfFailure(word.failure);
    case "lease_lost":
      return lost("The lease was lost while the host ran; what it did counts for nothing.");
    case "stopped":
      return nobodys("stopped", "The turn was stopped before it ended.", null);
    case "not_started":
      return nobodys("failed", word.message, { kind: word.code, message: word.message });
  }
}

export function lost(summary: string): Ending {
  return nobodys("lease_lost", summary, { kind: "lease_lost", message: summary });
}

/** E2. */
function nobodys(end: TurnEnd, summary: string, failure: ReportedFailure | null): Ending {
  return { ...PLAIN, end, summary, observation: "", about: "nobody", failure };
}

function endingOfResult(result: TurnResult): Ending {
  const { kind, summary } = result;
  switch (kind) {
    case "validated_completion":
      return { ...PLAIN, end: "completed", summary, spend: "turn" };
    case "validated_progress":
      return { ...PLAIN, end: "progress", summary, spend: "turn" };
    case "repair_required":
      return { ...PLAIN, end: "repair", summary };
    case "replan_required":
      return { ...PLAIN, end: "replan", summary };
    case "user_action_required":
      return { ...PLAIN, end: "ask", summary, observation: "", ask: summary };
    case "wait":
      return { ...PLAIN, end: "wait", summary, observation: "", wait_until: result.until };
  }
}

function endingOfFailure(failure: HostFailure): Ending {
  const reaction = reactionTo(failure.kind);
  const summary = failureText(failure);
  const until = failure.kind === "rate_limited" && failure.until !== null ? { until: failure.until } : {};
  const reported = { kind: failure.kind, message: summary, ...until };
  if (reaction.stall === "does_not_count" || wasCutOff(failure)) return nobodys("failed", summary, reported);
  const ask = reaction.ask === "person" ? summary : null;
  return { ...PLAIN, end: "failed", summary, observation: sha1Hex(JSON.stringify(failure)).slice(0, 16), ask, failure: reported };
}

/** Signals that somebody sends to end a process: they say nothing about the work. */
const ENDED_BY_OTHERS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

/** E2. */
function wasCutOff(failure: HostFailure): boolean {
  if (failure.kind !== "crashed" || failure.cause.kind === "exit") return false;
  return failure.cause.kind === "unknown" || ENDED_BY_OTHERS.has(failure.cause.signal);
}

/** A completion whose checks did not pass: the next turn repairs. */
export function notVerified(summary: string): Ending {
  return { ...PLAIN, end: "repair", summary, failure: { kind: "checks_failed", message: summary } };
}
