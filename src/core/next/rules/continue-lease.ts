import { hindranceOf } from "../doable.ts";
import { awaitedBy, coveringGate } from "../gates.ts";
import type { Rule } from "../rule.ts";

/** Row 7: what the agent has begun and can still do goes on first. */
export const continueLease: Rule = (situation) => {
  const { mine, now } = situation;
  if (mine === null || awaitedBy(situation, mine.todo).length > 0 || coveringGate(situation, mine.todo) !== null) return null;
  const live = mine.lease.expires_at > now;
  if (!live && hindranceOf(situation, mine.todo) !== null) return null; // It has to be taken anew, like any other.
  const because = live ? `the lease runs until ${mine.lease.expires_at}` : "the lease ran out and nobody took it over";
  return { act: "run", why: "continue", because, todo: mine.todo };
};
