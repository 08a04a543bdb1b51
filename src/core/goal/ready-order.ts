/** The order in which open todos are taken up: priority, then place in the file, then id. */
import type { TodoRecord } from "../events.ts";
import { compareText } from "../show/rank.ts";

/** Rank of a todo without `[Pn]` (decision-plane 1.1). */
export const UNRANKED = 50;

export function compareReady(a: TodoRecord, b: TodoRecord): number {
  return (a.priority ?? UNRANKED) - (b.priority ?? UNRANKED) || a.index - b.index || compareText(a.todo_id, b.todo_id);
}
