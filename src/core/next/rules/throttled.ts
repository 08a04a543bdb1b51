import type { Rule, Situation } from "../rule.ts";
import { continueLease } from "./continue-lease.ts";
import { isStalled } from "./stalled.ts";

/** Row 6: nothing is left of the quota for another turn. Who goes on with a lease has its part set aside already. */
export const throttled: Rule = (situation) => {
  const { state } = situation;
  if (state.quota.kind === "invalid" || state.quota.state.short === null || goesOn(situation)) return null;
  const { spent, reserved, allowed, short, next_eligible_at } = state.quota.state;
  const because = `${spent} of ${allowed ?? "unlimited"} ${short} are spent${reserved > 0 ? ` and ${reserved} set aside` : ""}`;
  return { act: "wait", why: "throttled", because, until: next_eligible_at };
};

/** What is held and cannot go on gives no room for anything else. */
function goesOn(situation: Situation): boolean {
  const { mine, now } = situation;
  if (mine === null || mine.lease.expires_at <= now) return false;
  return isStalled(mine.todo) || continueLease(situation) !== null;
}
