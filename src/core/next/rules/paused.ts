import type { Rule } from "../rule.ts";

/** Row 4: its share of computing is zero. */
export const paused: Rule = ({ state }) =>
  state.quota.kind === "set" && state.quota.is_zero ? { act: "stop", why: "paused", because: "the goal's quota is 0" } : null;
