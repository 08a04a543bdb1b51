/**
 * The time that a goal's events get, and when the clock of this machine can no longer be followed (design 2, Clock).
 *
 * W3  Wall time, but never before the goal's newest event while the clock is less than five minutes behind it.
 */
import type { GoalHead } from "../core/goal/head.ts";
import { addMilliseconds, type Instant, laterOf } from "../core/instant.ts";

const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;

/** W3. */
export function nowFor(head: GoalHead | null, wall: Instant): Instant {
  if (head === null || wall >= head.last_at) return wall;
  return addMilliseconds(wall, CLOCK_TOLERANCE_MS) > head.last_at ? laterOf(wall, head.last_at) : wall;
}

/** How far the clock stands behind the goal's newest event, once W3 gives up; null while it does not. */
export function clockStep(head: GoalHead | null, wall: Instant): { readonly last_at: Instant } | null {
  if (head === null || nowFor(head, wall) >= head.last_at) return null;
  return { last_at: head.last_at };
}
