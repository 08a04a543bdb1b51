/**
 * How long to wait before trying again: a random part of a span that doubles with every failure ("full jitter"), so that many who
 * failed together do not come back together.
 *
 * B1  The wait is a whole number of milliseconds from 0 to `max_ms`, for any attempt and any randomness.
 */

export interface Backoff {
  readonly base_ms: number;
  readonly max_ms: number;
}

/** Answers a number from 0 up to, and without, 1. */
export type Random = () => number;

/** B1. `attempt` counts the failures before this one, from 0. */
export function fullJitter({ base_ms, max_ms }: Backoff, attempt: number, random: Random): number {
  const span = Math.min(max_ms, base_ms * 2 ** Math.max(0, attempt));
  return Math.min(max_ms, Math.floor(random() * (span + 1)));
}
