/**
 * What a change must be to continue a journal (S2 of the port). Everything found here is a bug of the caller.
 */
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalChange, Keeping, LoadedGoal } from "../../ports/store.ts";

/** Throws unless each change continues what was loaded, and brings no facts where none are kept. */
export function assertContinues(changes: readonly GoalChange[], loaded: readonly LoadedGoal[], keeping: Keeping): void {
  const changed = new Set(changes.map(({ goal_id }) => goal_id));
  if (changed.size < changes.length) throw new Error("a goal is changed twice in one transaction");
  for (const change of changes) {
    const before = loaded.find(({ goal_id }) => goal_id === change.goal_id);
    const why = before === undefined ? "the goal was not loaded" : (factsIn(change, keeping) ?? flawOf(change, before.head));
    if (why !== null) throw new Error(`a change of goal ${change.goal_id} does not continue its journal: ${why}`);
  }
}

function factsIn({ events, receipt }: GoalChange, keeping: Keeping): string | null {
  return keeping === "derivable" && (events.length > 0 || receipt !== undefined) ? "it brings facts to what may be lost" : null;
}

function flawOf(change: GoalChange, head: GoalHead | null): string | null {
  const { generation, seq } = placeBefore(change, head);
  const numbered = change.events.every(
    (event, index) => event.goal_id === change.goal_id && event.generation === generation && event.seq === seq + 1 + index,
  );
  if (!numbered) return `its events do not follow ${generation}/${seq}`;
  const { head: after, receipt } = change;
  if (after.goal_id !== change.goal_id || after.generation !== generation || after.seq !== seq + change.events.length) {
    return "its head does not stand at its last event";
  }
  if (change.events.length === 0 && change.todos_put.length + change.todos_removed.length > 0)
    return "todos change without an event";
  if (receipt === undefined) return null;
  const named = receipt.goal_id === change.goal_id && receipt.generation === generation && receipt.seq <= after.seq;
  return named ? null : "its receipt names an event of another journal";
}

/** The next generation begins where the last one was archived. */
function placeBefore(change: GoalChange, head: GoalHead | null): { readonly generation: number; readonly seq: number } {
  if (head === null) return { generation: 1, seq: 0 };
  const next = change.events[0]?.generation === head.generation + 1 && head.lifecycle.kind === "archived";
  return next ? { generation: head.generation + 1, seq: 0 } : { generation: head.generation, seq: head.seq };
}
