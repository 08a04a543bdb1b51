/** A todo that the goal does not have. */
import { loopxCommand } from "../core/command-line.ts";
import { type BadInput, reject } from "../core/result.ts";

export function unknownTodo(goalId: string, todoId: string): BadInput {
  return reject("unknown_todo", `Goal ${goalId} has no todo ${todoId}.`, {
    fix: loopxCommand("todo", "list", "--goal-id", goalId),
  });
}
