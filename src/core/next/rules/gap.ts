import { ownerOf } from "../../goal/todo-traits.ts";
import type { Rule } from "../rule.ts";

/** Row 12: something of the agent, or of nobody, was closed without a word of what comes next. Nobody else may say it. */
export const gap: Rule = ({ state, request }) => {
  const first = state.frontier.gaps.find((todo) => {
    const owner = ownerOf(todo);
    return owner === null || request.agent === null || owner === request.agent;
  });
  if (first === undefined) return null;
  return {
    act: "replan",
    why: "gap",
    because: `${first.todo_id} was closed and nothing was said of what comes next`,
    todo: first,
  };
};
