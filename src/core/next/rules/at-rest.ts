import type { Rule } from "../rule.ts";

/** Row 3: a stopped or archived goal gives out nothing. */
export const atRest: Rule = ({ state }) => {
  const { activation, activation_reason } = state.goal;
  if (activation === "active") return null;
  const because = activation_reason === "" ? `the goal is ${activation}` : activation_reason;
  return { act: "stop", why: activation, because };
};
