import { writeScopesOf } from "../../goal/todo-traits.ts";
import { scopesWithin } from "../../goal/write-scope.ts";
import type { Rule } from "../rule.ts";

/** Row 10: the best work would write where the goal may not. */
export const outsideScope: Rule = ({ state, work }) => {
  if (work === null || scopesWithin(writeScopesOf(work), state.goal.write_scope)) return null;
  return { act: "repair", why: "scope", because: `${work.todo_id} writes outside of what the goal may write`, todo: work };
};
