/** Why an agent cannot do one todo now: the first condition that fails, and what would change it. */
import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { Situation } from "./asking.ts";
import { commandsAfter } from "./commands-after.ts";
import type { DecisionRequest, DecisionState, Finding } from "./decision.ts";
import { hindranceOf } from "./doable.ts";
import { atRest } from "./rules/at-rest.ts";
import { outsideScope } from "./rules/outside-scope.ts";
import { paused } from "./rules/paused.ts";
import { quotaInvalid } from "./rules/quota-invalid.ts";
import { rateLimited } from "./rules/rate-limited.ts";
import { isStalled } from "./rules/stalled.ts";
import { stateUnreadable } from "./rules/state-unreadable.ts";
import { throttled } from "./rules/throttled.ts";
import { situationOf } from "./situation.ts";

export interface WhyNot {
  readonly code: string;
  readonly message: string;
  readonly change: string;
  readonly by: string | null;
}

/** What holds up everything, before the todo itself is looked at. */
const OF_THE_GOAL = [stateUnreadable, atRest, quotaInvalid, paused, rateLimited, throttled] as const;

/** Null: the agent may take it up. */
export function whyNot(
  state: DecisionState,
  { todo, request, now }: { readonly todo: TodoRecord; readonly request: DecisionRequest; readonly now: Instant },
): WhyNot | null {
  const situation = situationOf(state, request, now);
  return ofGoal(situation) ?? ofTodo(situation, todo);
}

function ofGoal(situation: Situation): WhyNot | null {
  for (const rule of OF_THE_GOAL) {
    const found = rule(situation);
    if (found !== null) return { code: found.why, message: found.because, change: changeOf(situation, found), by: null };
  }
  return null;
}

/** Time, or the command that `next` names first. */
function changeOf(situation: Situation, found: Finding): string {
  if (found.until != null) return `it is ${found.until}`;
  if (found.why === "throttled") return loopxCommand("quota", "set", "--goal-id", situation.state.goal.goal_id); // No time brings more.
  return commandsAfter(situation, found)[0] ?? "loopx next";
}

function ofTodo(situation: Situation, todo: TodoRecord): WhyNot | null {
  const found = hindranceOf(situation, todo);
  if (found !== null) return { ...found, by: found.by ?? null };
  if (isStalled(todo)) {
    return {
      code: "stalled",
      message: "turns on it brought nothing new",
      change: `loopx todo supersede --todo-id ${todo.todo_id}`,
      by: null,
    };
  }
  const scope = outsideScope({ ...situation, work: todo });
  if (scope !== null) return { code: "scope", message: scope.because, change: "the goal's write_scope", by: null };
  const { work } = situation;
  if (work === null || work.todo_id === todo.todo_id) return null;
  return {
    code: "not_first",
    message: `${work.todo_id} comes before it`,
    change: `loopx claim --todo-id ${todo.todo_id}`,
    by: work.todo_id,
  };
}
