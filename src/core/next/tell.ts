/**
 * What the person should hear, whatever the agent does.
 *
 * T1  Telling never competes with working: it is worked out apart from the act.
 * T2  The token names what is told and the reminder it belongs to: who passes it back is told again when something new is
 *     to be told, or when the next reminder comes.
 * T3  A gate that was deferred is silent until its time.
 */

import { loopxCommand } from "../command-line.ts";
import type { TodoRecord } from "../events.ts";
import { remindsEvery } from "../goal/todo-traits.ts";
import { epochOf, type Instant, parseInstant } from "../instant.ts";
import { sha1Hex } from "../sha1.ts";
import type { Situation } from "./asking.ts";
import type { Tell } from "./decision.ts";
import { concerningActions, gatesToTell } from "./gates.ts";

const MOST = 5;

export function tellOf(situation: Situation): Tell | null {
  const { now, request, state } = situation;
  const gates = gatesToTell(situation).filter((gate) => !isSilent(gate, now));
  const asked = [...gates, ...concerningActions(situation).filter((todo) => !isSilent(todo, now))];
  const [first] = asked;
  if (first === undefined) return null;
  const token = sha1Hex(asked.map((todo) => `${todo.todo_id} ${reminderOf(todo, now)}`).join("\n")).slice(0, 16); // (T2)
  if (token === request.seen) return null;
  const more = asked.length > 1 ? ` (and ${asked.length - 1} more)` : "";
  return {
    todo_ids: asked.slice(0, MOST).map((todo) => todo.todo_id),
    text: `${first.text}${more}`,
    commands: commandsFor(first, { isGate: gates.includes(first), goalId: state.goal.goal_id }),
    token,
  };
}

function commandsFor(
  todo: TodoRecord,
  { isGate, goalId }: { readonly isGate: boolean; readonly goalId: string },
): readonly string[] {
  const about = ["--goal-id", goalId];
  return isGate
    ? [loopxCommand("gate", "approve", todo.todo_id, ...about), loopxCommand("gate", "reject", todo.todo_id, ...about)]
    : [loopxCommand("todo", "complete", "--todo-id", todo.todo_id, ...about)];
}

/** (T3) */
function isSilent({ metadata }: TodoRecord, now: Instant): boolean {
  const until = parseInstant(metadata["remind_at"]);
  return until !== null && until > now;
}

/** Which reminder of this todo it is by now. */
function reminderOf(todo: TodoRecord, now: Instant): number {
  const asked = parseInstant(todo.metadata["asked_at"]);
  return asked === null ? 0 : Math.floor(Math.max(0, epochOf(now) - epochOf(asked)) / remindsEvery(todo));
}
