import type { Rule } from "../rule.ts";

/** Row 1: what people declare cannot be read, so nothing may rest on it. */
export const stateUnreadable: Rule = ({ state }) => {
  if (state.problem !== null) return { act: "repair", why: "state_unreadable", because: state.problem.message };
  if (state.head === null) return { act: "repair", why: "state_unreadable", because: "the goal has no journal yet" };
  return null;
};
