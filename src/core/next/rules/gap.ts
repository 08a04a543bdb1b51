import type { Rule } from "../rule.ts";

/** Row 12: something was closed without a word of what comes next. */
export const gap: Rule = ({ state }) => {
  const [first] = state.frontier.gaps;
  if (first === undefined) return null;
  return {
    act: "replan",
    why: "gap",
    because: `${first.todo_id} was closed and nothing was said of what comes next`,
    todo: first,
  };
};
