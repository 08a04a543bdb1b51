import type { Rule } from "../rule.ts";

/** Row 19: only monitors and todos of a later time are left. */
export const nextDue: Rule = ({ state }) => {
  const { next_due_at } = state.frontier;
  return next_due_at === null
    ? null
    : { act: "wait", why: "next_due", because: `nothing is due before ${next_due_at}`, until: next_due_at };
};
