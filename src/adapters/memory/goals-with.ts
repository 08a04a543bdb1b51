/** Goals by what is found in them. */
import { leasedTo } from "../../core/goal/head.ts";
import type { GoalId } from "../../core/id.ts";
import type { GoalTrace } from "../../ports/store.ts";
import type { GoalCell, MemoryDatabase } from "./database.ts";
import { sortedBy } from "./order.ts";

export function goalsWith({ goals }: MemoryDatabase, registry: string, trace: GoalTrace): readonly GoalId[] {
  const found = [...goals].filter(([, cell]) => cell.head?.registry === registry && holds(cell, trace));
  return sortedBy(
    found.map(([goalId]) => goalId),
    (goalId) => [goalId],
  );
}

function holds({ head, todos, receipts }: GoalCell, trace: GoalTrace): boolean {
  if (trace.kind === "todo") return todos.has(trace.todo_id);
  if (trace.kind === "receipt") return receipts.has(trace.key);
  return leasedTo(head, trace.owner).some((id) => trace.todo_id === null || id === trace.todo_id);
}
