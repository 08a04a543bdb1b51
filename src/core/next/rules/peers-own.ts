import { leaseOf } from "../../goal/fence.ts";
import { rivalLease } from "../asking.ts";
import type { Rule } from "../rule.ts";

/** Row 17: all that can be done is in other hands. */
export const peersOwn: Rule = (situation) => {
  const { state } = situation;
  const [held] = state.frontier.held;
  const leased = state.frontier.work.find((todo) => rivalLease(situation, todo.todo_id) !== null);
  const todo = leased ?? held;
  if (todo === undefined) return null;
  const lease = state.head === null ? null : leaseOf(state.head, todo.todo_id);
  const owner = lease?.owner ?? todo.metadata["claimed_by"] ?? "another agent";
  return { act: "wait", why: "peers_own", because: `${owner} has ${todo.todo_id}`, until: lease?.expires_at ?? null };
};
