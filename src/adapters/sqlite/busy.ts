/**
 * Waiting for other processes, so that all of them get their turn.
 *
 * The engine's own handler waits longer the longer it has waited, which starves; this one asks more often instead.
 */
import { Fault } from "../../errors.ts";
import { isBusy } from "./faults.ts";
import { monotonic } from "./monotonic.ts";

export interface Patience {
  readonly path: string;
  /** Longest wait in milliseconds. */
  readonly bound: number;
}

const FIRST_INTERVAL = 10;
const SHORTEST_INTERVAL = 1;
/** Time it takes the interval to fall to its shortest. */
const RAMP = 100;
/**
 * Woken late means that processors are short, perhaps because many wait: asking at once again would take them from whoever
 * holds the store. A wait is at least as long as the last one was late, up to this.
 */
const MOST_LATE = 100;
/** After its own commit a connection lets others go first. */
const COURTESY = 0.5;

/** Calls `attempt` until it does not meet a busy store; `attempt` must leave nothing behind when it throws. */
export async function untilFree<T>(attempt: () => T, { path, bound }: Patience): Promise<T> {
  const started = monotonic();
  let late = 0;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = monotonic() - started;
      if (waited >= bound) throw stayedBusy(path, waited, error);
      const interval = Math.min(Math.max(intervalAfter(waited), late) * (0.5 + Math.random()), bound - waited);
      await sleep(interval);
      late = Math.min(monotonic() - started - waited - interval, MOST_LATE);
    }
  }
}

/** Milliseconds until the next attempt of one that has waited for `waited` milliseconds. */
export function intervalAfter(waited: number): number {
  const fallen = Math.min(waited / RAMP, 1);
  return FIRST_INTERVAL - (FIRST_INTERVAL - SHORTEST_INTERVAL) * fallen;
}

/** Resolves once `COURTESY` has passed since `committedAt`. */
export async function letOthersGo(committedAt: number): Promise<void> {
  if (monotonic() - committedAt < COURTESY) await sleep(COURTESY);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function stayedBusy(path: string, waited: number, cause: unknown): Fault {
  return new Fault({
    code: "store_busy",
    message: `The store ${path} was busy for ${(waited / 1000).toFixed(1)} s: other processes kept writing to it.`,
    hint: "Repeat the command; if this stays so, look for a stopped process that holds the store (`loopx doctor`).",
    cause,
  });
}
