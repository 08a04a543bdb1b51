import type { Rule } from "../rule.ts";

/** Row 6: nothing is left of the quota for another turn. Who holds a lease has its part set aside already. */
export const throttled: Rule = ({ state, mine, now }) => {
  if (state.quota.kind === "invalid" || state.quota.state.short === null) return null;
  if (mine !== null && mine.lease.expires_at > now) return null;
  const { spent, reserved, allowed, short, next_eligible_at } = state.quota.state;
  const because = `${spent} of ${allowed ?? "unlimited"} ${short} are spent${reserved > 0 ? ` and ${reserved} set aside` : ""}`;
  return { act: "wait", why: "throttled", because, until: next_eligible_at };
};
