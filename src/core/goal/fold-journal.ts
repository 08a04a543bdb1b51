/** Head and todos that a whole journal gives: what is derived, derived again. */
import type { GoalEvent } from "../events.ts";
import { evolve, type Foldable } from "./evolve.ts";
import type { GoalHead, GoalState } from "./head.ts";

/** `after` gets the head after each event. */
export function foldJournal(events: Iterable<GoalEvent>, after: (head: GoalHead) => void = () => undefined): GoalState {
  const state: Foldable = { head: null, todos: new Map(), touched: new Set() };
  for (const event of events) {
    evolve(state, event);
    if (state.head !== null) after(state.head);
  }
  return { head: state.head, todos: state.todos };
}
