/**
 * Failures of workers: how long to wait after each, and when it is enough.
 *
 * S1  A failure counts for the worker and for the team until a turn settles, and no longer than the window.
 * S2  More failures of one worker than its limit: it is given up. As many of the team as its workers may have together at half their
 *     limit: the team is, because then it is not the workers.
 */
import { fullJitter } from "../host/backoff.ts";
import { addMilliseconds, type Instant } from "../instant.ts";
import type { TeamDraft } from "./draft.ts";
import { endTeam } from "./ending.ts";
import type { Worker } from "./worker.ts";

export interface Setback {
  readonly worker: Worker;
  readonly standing: "goes_on" | "given_up";
  /** Before it is worth trying again. */
  readonly until: Instant;
}

/** Notes the failure and says what it leads to; the caller carries it out. */
export function setBack(draft: TeamDraft, worker: Worker): Setback {
  const { now, random } = draft.around;
  const { max_restarts, backoff, window_ms } = draft.settings;
  const since = addMilliseconds(now, -window_ms);
  const recent = (instants: readonly Instant[]): Instant[] => instants.filter((at) => at > since); // (S1)
  const setbacks = [...recent(worker.setbacks), now];
  draft.setbacks = [...recent(draft.setbacks), now];
  const until = addMilliseconds(now, fullJitter(backoff, setbacks.length - 1, random));
  const standing = setbacks.length > max_restarts ? "given_up" : "goes_on"; // (S2)
  return { worker: { ...worker, setbacks }, standing, until };
}

/** S2. Answers whether it tripped now. */
export function tripBreaker(draft: TeamDraft, message: string): boolean {
  const { max_restarts } = draft.settings;
  const limit = Math.max(max_restarts + 1, Math.ceil((max_restarts * draft.workers.length) / 2));
  if (draft.breaker === "tripped" || draft.workers.length < 2 || draft.setbacks.length <= limit) return false;
  draft.breaker = "tripped";
  draft.note("breaker_tripped", null, { failures: draft.setbacks.length, message });
  endTeam(draft, {
    code: "team_crash_loop",
    message: `The team failed ${draft.setbacks.length} times without a turn that settled. ${message}`,
  });
  return true;
}

export function crashLoop({ setbacks }: Worker, message: string): { readonly code: string; readonly message: string } {
  return { code: "crash_loop", message: `It failed ${setbacks.length} times in a row. ${message}` };
}

/** S1. */
export function clearSetbacks(draft: TeamDraft, worker: Worker): Worker {
  draft.setbacks = [];
  return { ...worker, setbacks: [], refreshed: "no" };
}
