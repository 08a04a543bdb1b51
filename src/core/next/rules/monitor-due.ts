import type { TodoRecord } from "../../events.ts";
import { UNRANKED } from "../../goal/ready-order.ts";
import { dueAtOf } from "../../goal/todo-traits.ts";
import type { Instant } from "../../instant.ts";
import { hindranceOf } from "../doable.ts";
import type { Rule, Situation } from "../rule.ts";

/** Row 8: a monitor that is due comes before work of lower priority, and where there is no work. */
export const monitorDue: Rule = (situation) => {
  const due = dueMonitors(situation);
  const [best] = due.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined || (situation.work !== null && rank(situation.work) <= rank(best))) return null;
  return { act: "poll", why: "monitor_due", because: `${best.todo_id} is due`, todo: best };
};

function dueMonitors(situation: Situation): readonly TodoRecord[] {
  const { state, now } = situation;
  return state.frontier.monitors.filter((todo) => isDue(todo, now) && hindranceOf(situation, todo) === null);
}

function isDue(todo: TodoRecord, now: Instant): boolean {
  const due = dueAtOf(todo);
  return due === null || due <= now;
}

function rank({ priority }: TodoRecord): number {
  return priority ?? UNRANKED;
}
