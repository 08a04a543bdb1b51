import type { Rule } from "../rule.ts";

/** Settings that cannot be understood are an error, never "no limit". */
export const quotaInvalid: Rule = ({ state }) =>
  state.quota.kind === "invalid" ? { act: "repair", why: "quota_invalid", because: state.quota.problem.message } : null;
