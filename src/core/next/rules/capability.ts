import { hindranceOf } from "../doable.ts";
import type { Rule } from "../rule.ts";

/** Row 14: the work that is left needs something that the agent can bring about. */
export const capability: Rule = (situation) => {
  for (const todo of situation.state.frontier.work) {
    const found = hindranceOf(situation, todo);
    if (found?.code === "capability") return { act: "repair", why: "capability", because: found.message, todo };
  }
  return null;
};
