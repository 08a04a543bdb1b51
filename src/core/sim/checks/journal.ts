/** I8 and I11: a no leaves everything as it was, and what is stored is what the journal says. */
import type { GoalState } from "../../goal/head.ts";
import { coversByName, needsOf } from "../../goal/todo-traits.ts";
import type { TodoId } from "../../id.ts";
import type { Ledger } from "../ledger.ts";
import { type Flaw, flaw, type Step } from "../step.ts";

/** I8, before the step is counted. */
export function refusalFlaw({ refused, failed, events, positions, before, request }: Step, { fold }: Ledger): Flaw | null {
  const [from, to] = positions;
  const no = refused !== null || failed || request.kind === "next";
  if (no && (events.length > 0 || from !== to))
    return flaw(
      "I8",
      `${refused ?? (failed ? "a failed commit" : "a read")} left ${events.length} events, position ${from} to ${to}`,
    );
  if (!no && events.length > 0 && from === to) return flaw("I8", "an acknowledged write is not in the journal");
  if ((before?.seq ?? 0) !== (fold.head?.seq ?? 0))
    return flaw("I8", `the store gave the goal as of ${before?.seq}, and ${fold.head?.seq} was acknowledged`);
  return null;
}

/** I11, after the step was counted: the fold of a part of the todos is the fold of all of them. */
export function foldFlaw({ head, put, removed, events }: Step, { fold }: Ledger): Flaw | null {
  if (events.length === 0) return null;
  if (JSON.stringify(head) !== JSON.stringify(fold.head)) return flaw("I11", difference("the head", head, fold.head));
  const stored = new Map(put.map((todo) => [todo.todo_id, todo]));
  for (const id of new Set([...fold.touched, ...stored.keys(), ...removed])) {
    const told = fold.todos.get(id);
    const kept = stored.get(id) ?? (removed.includes(id) ? undefined : "not stored");
    if (kept === "not stored" || JSON.stringify(told) !== JSON.stringify(kept))
      return flaw("I11", difference(`what is stored of ${id}`, kept, told));
  }
  return null;
}

/** I11, now and then: everything in the store, with the fold of the whole journal. */
export function storeFlaw(live: GoalState, refolded: GoalState): Flaw | null {
  if (JSON.stringify(live.head) !== JSON.stringify(refolded.head))
    return flaw("I11", difference("the head in the store", live.head, refolded.head));
  const [kept, told] = [inOrder(live), inOrder(refolded)];
  const at = told.findIndex((todo, place) => JSON.stringify(todo) !== JSON.stringify(kept[place]));
  if (at >= 0 || kept.length !== told.length) return flaw("I11", difference("a todo in the store", kept[at], told[at]));
  return waitsFlaw(refolded.todos);
}

/** What a todo waits for, looked up anew among all of them. */
function waitsFlaw(todos: GoalState["todos"]): Flaw | null {
  const gates = [...todos.values()].filter((gate) => gate.status !== "done" && !gate.archived);
  for (const todo of todos.values()) {
    const needs = needsOf(todo);
    const asked = gates.filter((gate) => coversByName(gate).includes(todo.todo_id) && !needs.includes(gate.todo_id));
    const expected = [...needs.filter((id) => todos.get(id)?.status !== "done"), ...asked.map(({ todo_id }) => todo_id).sort()];
    if (JSON.stringify(todo.waits_for ?? []) !== JSON.stringify(expected))
      return flaw("E1", `${todo.todo_id} waits for ${list(todo.waits_for ?? [])}, and should for ${list(expected)}`);
  }
  return null;
}

function list(ids: readonly TodoId[]): string {
  return ids.length === 0 ? "nothing" : ids.join(", ");
}

function inOrder({ todos }: GoalState): readonly unknown[] {
  return [...todos.values()].sort((a, b) => (a.todo_id < b.todo_id ? -1 : 1));
}

const SHOWN = 160;

/** From where they part. */
function difference(what: string, stored: unknown, told: unknown): string {
  const [a, b] = [JSON.stringify(stored) ?? "nothing", JSON.stringify(told) ?? "nothing"];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const part = (text: string): string => text.slice(Math.max(0, at - 40), at + SHOWN);
  return `${what} is not what the journal says: …${part(a)}… for …${part(b)}…`;
}
