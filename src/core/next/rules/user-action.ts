import { concerningActions } from "../gates.ts";
import type { Rule } from "../rule.ts";

/** Row 16: nothing is left but what a person has to do. */
export const userAction: Rule = (situation) => {
  const [first] = concerningActions(situation);
  return first === undefined
    ? null
    : { act: "ask", why: "user_action", because: `${first.todo_id} is for a person`, todo: first };
};
