import type { TodoRecord } from "../../events.ts";
import { UNRANKED } from "../../goal/ready-order.ts";
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
  const { passes_over } = situation.request;
  const offered = situation.state.frontier.monitors.filter(({ todo_id }) => passes_over?.has(todo_id) !== true);
  return offered.filter((todo) => hindranceOf(situation, todo) === null);
}

function rank({ priority }: TodoRecord): number {
  return priority ?? UNRANKED;
}
