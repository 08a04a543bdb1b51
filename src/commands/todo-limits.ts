/** Whether a goal may hold what is to be added to it. */
import type { TodoRecord } from "../core/events.ts";
import type { GoalHead } from "../core/goal/head.ts";
import { eventBytesBar, openTodoBar } from "../core/quota/limits.ts";
import { type Refusal, refuse } from "../core/result.ts";
import type { RegisteredGoal } from "./registry-rows.ts";

/** `closes`: how many open todos end with the same write. */
export function addingBar(
  { goal }: RegisteredGoal,
  { head, added, closes }: { readonly head: GoalHead; readonly added: readonly TodoRecord[]; readonly closes: number },
): Refusal | null {
  const { quota, goal_id } = goal;
  if (added.length === 0) return null;
  if (quota.kind === "invalid") {
    const message = quota.problems[0]?.message ?? "The quota cannot be understood.";
    return refuse("quota_invalid", message, { fix: "loopx registry" });
  }
  const limited = { goal_id, limits: quota.settings.limits };
  const open = added.filter((todo) => todo.status === "open").length;
  const bar = open === 0 ? null : openTodoBar(limited, head.todo_counts.open + open - closes);
  if (bar !== null) return bar;
  for (const todo of added) {
    const long = eventBytesBar(limited, JSON.stringify({ todo }));
    if (long !== null) return long;
  }
  return null;
}
