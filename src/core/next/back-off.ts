/**
 * How long to wait before asking again.
 *
 * B1  A function of `now` and of when the goal last changed, and of nothing that is stored for it: the steps of the table
 *     are gone through while nothing changes, the last one stays.
 * B2  Never beyond the moment at which the answer is known to change; one that has passed changed nothing.
 */
import { addMilliseconds, type Instant, millisecondsBetween } from "../instant.ts";
import type { Act, Waiting, Why } from "./decision.ts";

const MINUTE = 60_000;
const UNCHANGED = [60, 120, 240];
const MONITOR = [15, 30, 60];
const GATE = [30, 60, 120];

const STEPS: Readonly<Partial<Record<Why, readonly number[]>>> = {
  rate_limited: [10, 20, 30, 60],
  throttled: [10, 20, 30, 60],
  peers_own: [10, 20, 30, 60],
  waiting_on: [10, 20, 30, 60],
  monitor_only: MONITOR,
  next_due: MONITOR,
  gate: GATE,
  owner_capability: GATE,
  user_action: GATE,
};

/** Null for an act that is taken up at once. */
export function waitingFor(
  {
    act,
    why,
    because,
    until,
  }: { readonly act: Act; readonly why: Why; readonly because: string; readonly until: Instant | null },
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Waiting | null {
  if (act !== "wait" && act !== "ask") return null;
  const step = stepAt(STEPS[why] ?? UNCHANGED, millisecondsBetween(since, now));
  const planned = addMilliseconds(now, step * MINUTE);
  const at = until !== null && until > now && until < planned ? until : planned; // (B2)
  return { reason: because, until: at, minutes: Math.ceil(millisecondsBetween(now, at) / MINUTE) };
}

/** (B1) */
function stepAt(steps: readonly number[], age: number): number {
  let passed = 0;
  for (const step of steps) {
    passed += step * MINUTE;
    if (age < passed) return step;
  }
  return steps.at(-1) ?? 60;
}
