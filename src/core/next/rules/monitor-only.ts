import type { Rule } from "../rule.ts";

/** Row 9: this agent looks after monitors and does no work. */
export const monitorOnly: Rule = ({ state, request }) => {
  if (request.agent === null || !state.goal.monitor_only.includes(request.agent)) return null;
  return {
    act: "wait",
    why: "monitor_only",
    because: `${request.agent} only looks after monitors`,
    until: state.frontier.next_due_at,
  };
};
