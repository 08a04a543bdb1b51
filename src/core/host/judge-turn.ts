/**
 * What came of a host's turn, from how its process ended and everything that was said.
 *
 * Does not own: running it (`commands/host-turn.ts`), whether the result is true (the validator), what follows (`failure.ts`).
 *
 * G1  A turn whose lease was lost has no result, whatever was said: somebody else may have the todo.
 * G2  A result that the host handed over and that can be used counts, however its process ended after that.
 * G3  A block in the last message counts only when the host came to its own end, with exit status 0: else nobody knows whether
 *     the message was the last one.
 * G4  Without a result, the cause that the host names counts before the way its process ended.
 * G5  Exit status 0 means something without a result only for a host that says so (`silence`).
 */
import type { TurnId } from "../id.ts";
import type { Problem } from "../result.ts";
import type { HostFailure } from "./failure.ts";
import type { ProcessEnd } from "./process-end.ts";
import { type ChosenResult, chooseResult, type ResultChannel, type ResultConflict, type SaidResults } from "./result-channels.ts";
import type { SeenOutput } from "./turn-observer.ts";
import type { TurnResult } from "./turn-result.ts";
import { type TurnUsage, turnUsage } from "./usage.ts";

/** `completion`: that it ended well is its result. */
export type Silence = "completion" | "no_result";

export interface TurnFacts {
  readonly turn_id: TurnId;
  readonly program: string;
  readonly end: ProcessEnd;
  readonly lease: "held" | "lost";
  readonly seen: SeenOutput;
  readonly file: SaidResults["file"];
  readonly silence: Silence;
  readonly wall_ms: number;
  readonly limits: { readonly idle_ms: number | null; readonly hard_ms: number };
}

interface Judged {
  readonly usage: TurnUsage;
  /** With which the turn can be taken up again. */
  readonly session_id: string | null;
  readonly end: ProcessEnd;
}

export type TurnJudgement =
  | (Judged & {
      readonly kind: "result";
      readonly result: TurnResult;
      /** `exit`: nothing was said, and the host's exit status is its word. */
      readonly channel: ResultChannel | "exit";
      readonly conflicts: readonly ResultConflict[];
    })
  | (Judged & { readonly kind: "failed"; readonly failure: HostFailure })
  | (Judged & { readonly kind: "lease_lost" | "stopped" });

export function judgeTurn(facts: TurnFacts): TurnJudgement {
  const { end, seen, wall_ms } = facts;
  const judged = { usage: turnUsage(wall_ms, seen.usage, null), session_id: seen.session_id, end };
  if (facts.lease === "lost") return { kind: "lease_lost", ...judged }; // (G1)
  const chosen = chooseResult(saidIn(facts), facts);
  if (chosen.kind === "said" && chosen.checked.ok) {
    const { channel, conflicts, checked } = chosen;
    const usage = turnUsage(wall_ms, seen.usage, checked.result.usage ?? null);
    return { kind: "result", ...judged, usage, result: checked.result, channel, conflicts }; // (G2)
  }
  if (seen.setback === null && end.kind === "aborted") return { kind: "stopped", ...judged };
  const failure = seen.setback ?? failureOf(facts, chosen); // (G4)
  if (failure !== null) return { kind: "failed", ...judged, failure };
  const result = { kind: "validated_completion", summary: `${shownName(facts.program)} ended with exit status 0` } as const;
  return { kind: "result", ...judged, result, channel: "exit", conflicts: [] };
}

/** G3. */
function saidIn({ end, file, seen }: TurnFacts): SaidResults {
  const endedWell = end.kind === "exited" && end.code === 0;
  return { file, structured: seen.structured, fenced: endedWell ? seen.fenced : null };
}

/** Null: it ended well, and that is its result (G5). */
function failureOf(facts: TurnFacts, chosen: ChosenResult): HostFailure | null {
  const { end, limits } = facts;
  if (end.kind === "exited" && end.code === 0) return silenceOf(facts, chosen);
  if (end.kind === "exited") return { kind: "crashed", cause: { kind: "exit", code: end.code } };
  if (end.kind === "signalled") return { kind: "crashed", cause: { kind: "signal", signal: end.signal } };
  if (end.kind === "idle_limit") return { kind: "timeout_idle", after_ms: Number(limits.idle_ms) };
  return { kind: "timeout_hard", after_ms: limits.hard_ms };
}

function silenceOf({ seen, silence }: TurnFacts, chosen: ChosenResult): HostFailure | null {
  if (chosen.kind === "said" && !chosen.checked.ok) return { kind: "output_invalid", problems: chosen.checked.problems };
  const unreadable: readonly Problem[] = seen.unreadable === null ? [] : [{ code: "event_unreadable", message: seen.unreadable }];
  return silence === "completion" && unreadable.length === 0 ? null : { kind: "output_invalid", problems: unreadable };
}

/** A name for people, not the way to it. */
function shownName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1).slice(0, 80);
}
