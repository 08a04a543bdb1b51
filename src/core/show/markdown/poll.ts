/** What `poll` looked up, for people. */
import type { Problem } from "../../result.ts";
import { code, markdown as text } from "../escape.ts";
import { counted, list, page } from "./table.ts";
import { problemLine } from "./words.ts";

interface About {
  readonly goal_id: string;
  readonly todo_id: string;
}

export interface ShownPoll {
  readonly dry_run: boolean;
  readonly goals_looked_at: number;
  readonly polled: readonly (About & {
    readonly changed: boolean;
    readonly consecutive_no_change: number;
    readonly next_due_at: string | null;
    readonly result_hash: string | null;
    readonly target_key: string | null;
    readonly next_todos: readonly string[];
  })[];
  readonly woken: readonly About[];
  readonly not_met: readonly About[];
  readonly ended: readonly About[];
  readonly decided: readonly (About & { readonly outcome: string })[];
  readonly warnings: readonly Problem[];
}

export function pollPage(answer: ShownPoll): string {
  const { polled, woken, not_met, ended, decided, warnings, dry_run, goals_looked_at } = answer;
  const count = polled.length + woken.length + not_met.length + ended.length + decided.length;
  return page(
    [`# ${count === 0 ? "Nothing is due" : `${counted(count, "thing")} ${dry_run ? "to be looked up" : "looked up"}`}`],
    list([
      ...polled.map(
        (each) => `${code(each.todo_id)} ${seen(each)}${each.next_due_at === null ? "" : `, next at ${text(each.next_due_at)}`}`,
      ),
      ...woken.map(({ todo_id }) => `${code(todo_id)} can go on`),
      ...not_met.map(({ todo_id }) => `${code(todo_id)} still waits`),
      ...ended.map(({ todo_id }) => `${code(todo_id)} has ended`),
      ...decided.map(({ todo_id, outcome }) => `${code(todo_id)}: ${text(outcome)}, because its time was up`),
      ...warnings.map(problemLine),
      `${counted(goals_looked_at, "goal")} looked at`,
    ]),
  );
}

function seen({ changed, consecutive_no_change, result_hash }: ShownPoll["polled"][number]): string {
  if (result_hash === null) return "was not seen";
  return changed ? "has changed" : `is unchanged (${consecutive_no_change} in a row)`;
}
