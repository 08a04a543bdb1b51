import type { DriftRule } from "../drift.ts";

/** The plan says what comes next, and no todo of either side carries it. */
export const nextActionWithoutTodo: DriftRule = {
  kinds: ["next_action_without_todo"],
  concerns: "running",
  find(view) {
    const { next_action: next, todo_counts: counts } = view;
    const first = next?.entries[0];
    if (next === null || first === undefined || counts.open + counts.blocked > 0) return [];
    return [
      {
        kind: "next_action_without_todo",
        severity: "watch",
        declared: first,
        observed: "no open todo",
        since: next.since,
        fix: { person: "write it down as a todo under Agent Todo, or under User Todo if a person has to act" },
      },
    ];
  },
};
