/** `next` for people: what to do, why, and what to type. */

import type { DecisionPayload } from "../decision.ts";
import { code, markdown as text } from "../escape.ts";
import { list, page } from "./table.ts";

const WORDS: Readonly<Record<string, string>> = {
  run: "Work",
  poll: "Look",
  replan: "Plan",
  repair: "Repair",
  ask: "Ask the person",
  wait: "Wait",
  stop: "Stop",
};

export function decisionPage(answer: DecisionPayload): string {
  const { act, why, because, todo, tell, then, wait, quota, goal_id } = answer;
  return page(
    [`# ${WORDS[act] ?? act}${todo === null ? "" : `: ${text(todo.text)}`}`],
    list([
      ...(goal_id === null ? [] : [`goal: ${code(goal_id)}`]),
      ...(todo === null ? [] : [`todo: ${code(todo.todo_id)}`]),
      `why: ${text(because)} (${code(why)})`,
      ...(wait === null ? [] : [`ask again: ${wait.until} (in ${wait.minutes} min)`]),
      ...(quota === null || quota.allowed === null
        ? []
        : [`quota: ${quota.spent} of ${quota.allowed} spent, ${quota.reserved} set aside`]),
    ]),
    tell === null ? [] : [`Tell the person: ${text(tell.text)}`, ...list(tell.commands.map(code))],
    then.length === 0 ? [] : [`Next: ${then.map(code).join(" or ")}`],
  );
}
