import type { Rule } from "../rule.ts";

/** A turn of this agent reported that its provider wants it to wait; a person can end that. */
export const rateLimited: Rule = ({ state, request, now }) => {
  const waits = state.head?.waits ?? {};
  const wait = request.agent !== null && Object.hasOwn(waits, request.agent) ? waits[request.agent] : undefined;
  if (wait === undefined || wait.until <= now) return null;
  return { act: "wait", why: "rate_limited", because: wait.reason, until: wait.until };
};
