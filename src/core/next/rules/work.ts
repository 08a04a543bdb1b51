import type { Rule } from "../rule.ts";

/** Row 11. */
export const bestWork: Rule = ({ work }) =>
  work === null ? null : { act: "run", why: "work", because: `${work.todo_id} is the first that can be done`, todo: work };
