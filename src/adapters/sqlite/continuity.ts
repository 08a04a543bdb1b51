/**
 * What a change must be to continue a journal (S2). Everything found here is a bug of the caller.
 *
 * Does not own: how a change is stored (`apply.ts`).
 */
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalChange, Keeping, LoadedGoal } from "../../ports/store.ts";

interface Place {
  readonly generation: number;
  readonly seq: number;
}

/** Throws unless each change continues what was loaded, and brings no facts where none are kept. */
export function assertContinues(changes: readonly GoalChange[], loaded: readonly LoadedGoal[], keeping: Keeping): void {
  const heads = new Map(loaded.map((goal) => [goal.goal_id, goal.head]));
  for (const change of changes) {
    const head = heads.get(change.goal_id);
    if (head === undefined) throw wrong(change, "the goal was not loaded, or is changed twice");
    heads.delete(change.goal_id);
    assertOne(change, head);
    if (keeping === "derivable" && (change.events.length > 0 || change.receipt !== undefined))
      throw wrong(change, "it brings facts to what may be lost");
  }
}

function assertOne(change: GoalChange, head: GoalHead | null): void {
  const from = placeBefore(change, head);
  for (const [place, event] of change.events.entries()) {
    if (event.goal_id !== change.goal_id) throw wrong(change, `event ${place} belongs to ${event.goal_id}`);
    if (event.generation !== from.generation || event.seq !== from.seq + 1 + place) {
      throw wrong(change, `event ${place} is ${event.generation}/${event.seq} after ${from.generation}/${from.seq}`);
    }
  }
  const last = from.seq + change.events.length;
  if (change.head.goal_id !== change.goal_id || change.head.generation !== from.generation || change.head.seq !== last) {
    throw wrong(
      change,
      `the head stands at ${change.head.generation}/${change.head.seq}, its journal at ${from.generation}/${last}`,
    );
  }
  if (change.events.length === 0) assertOnlyBase(change);
  assertReceipt(change);
}

/** Generations count from 1 without a hole; the next one begins when the last was archived. */
function placeBefore(change: GoalChange, head: GoalHead | null): Place {
  if (head === null) return { generation: 1, seq: 0 };
  const first = change.events[0];
  if (first !== undefined && first.generation === head.generation + 1 && head.lifecycle.kind === "archived") {
    return { generation: first.generation, seq: 0 };
  }
  return { generation: head.generation, seq: head.seq };
}

function assertOnlyBase(change: GoalChange): void {
  if (change.todos_put.length + change.todos_removed.length > 0) throw wrong(change, "todos change without an event");
}

function assertReceipt({ receipt, ...change }: GoalChange): void {
  if (receipt === undefined) return;
  const { generation, seq } = change.head;
  if (receipt.goal_id !== change.goal_id || receipt.generation !== generation || receipt.seq > seq) {
    throw wrong(change, "the receipt names another event than one of this journal");
  }
}

function wrong(change: Pick<GoalChange, "goal_id">, why: string): Error {
  return new Error(`a change of goal ${change.goal_id} does not continue its journal: ${why}`);
}
