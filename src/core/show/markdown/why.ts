/** `why` and `why-not` for people. */
import { code, markdown as text } from "../escape.ts";
import type { ShownFact, WhyNotPayload, WhyPayload } from "../why.ts";
import { list, page } from "./table.ts";

export function whyPage({ act, why, because, rule, at, facts, passed, wait_until, then }: WhyPayload): string {
  return page(
    [`# ${act}: ${text(because)} (${code(why)})`],
    list([
      `rule: ${code(rule)}`,
      `as of event ${at.seq}, ${at.time}`,
      ...(wait_until === null ? [] : [`ask again: ${wait_until}`]),
    ]),
    facts.length === 0 ? [] : ["It rests on:", "", ...list(facts.map(factLine))],
    passed.length === 0 ? [] : [`Said nothing before it: ${passed.map(code).join(", ")}`],
    then.length === 0 ? [] : [`Next: ${then.map(code).join(" or ")}`],
  );
}

function factLine({ about, says, seq, file }: ShownFact): string {
  const place = seq !== undefined ? ` (event ${seq})` : file !== undefined ? ` (${code(file)})` : "";
  return `${text(about)}: ${text(says)}${place}`;
}

export function whyNotPage({ todo, may_be_done, code: reason, message, change, at, then }: WhyNotPayload): string {
  return page(
    [`# ${may_be_done ? "May be done" : "Not now"}: ${text(todo.text)}`],
    list([
      `todo: ${code(todo.todo_id)}, ${todo.status}`,
      `why: ${text(message)}${reason === null ? "" : ` (${code(reason)})`}`,
      ...(change === null ? [] : [`what would change it: ${change.startsWith("loopx ") ? code(change) : text(change)}`]),
      `as of event ${at.seq}, ${at.time}`,
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}
