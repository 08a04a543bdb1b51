/** Head and todos that a whole journal gives: what is derived, derived again. */
import type { GoalEvent } from "../events.ts";
import { evolve, type Foldable } from "./evolve.ts";
import type { GoalHead, GoalState, Todos } from "./head.ts";

type After = (head: GoalHead, todos: Todos) => void;

/** `after` gets the head after each event, and the todos, which go on to change: who keeps them copies them. */
export function foldJournal(events: Iterable<GoalEvent>, after: After = () => undefined): GoalState {
  return foldOn({ head: null, todos: new Map() }, events, after);
}

/** The same on top of what the events before gave. */
export function foldOn(before: GoalState, events: Iterable<GoalEvent>, after: After = () => undefined): GoalState {
  const state: Foldable = { head: before.head, todos: new Map(before.todos), touched: new Set() };
  for (const event of events) {
    evolve(state, event);
    if (state.head !== null) after(state.head, state.todos);
  }
  return { head: state.head, todos: state.todos };
}
