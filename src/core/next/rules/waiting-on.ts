import { hindranceOf } from "../doable.ts";
import type { Rule } from "../rule.ts";

/** Row 18: something waits for a condition that has a name. */
export const waitingOn: Rule = (situation) => {
  const { work, waiting, blocked, next_due_at } = situation.state.frontier;
  const first = waiting[0] ?? work[0] ?? blocked[0];
  if (first === undefined) return null;
  const found = hindranceOf(situation, first);
  const because = `${first.todo_id}: ${first.metadata["reason"] ?? found?.message ?? "it is blocked"}`;
  return { act: "wait", why: "waiting_on", because, until: next_due_at };
};
