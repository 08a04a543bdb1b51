import { idleGates } from "../gates.ts";
import type { Rule } from "../rule.ts";

/** Row 20: all that was to be done is done, and nothing was left open behind it. */
export const complete: Rule = (situation) => {
  const counts = situation.state.head?.todo_counts;
  if (counts === undefined || counts.done === 0) return null;
  if (counts.open - idleGates(situation).length + counts.blocked + counts.deferred > 0) return null;
  return { act: "stop", why: "complete", because: `all ${counts.done} todos are closed` };
};
