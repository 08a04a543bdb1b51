/** The goal that a todo belongs to, where none is named: the only one there is, or the one in which it is in hand. */
import type { Reply } from "../core/result.ts";
import { goalOfLease } from "./goal-of-lease.ts";
import { registryRows } from "./registry-rows.ts";
import type { Workspace } from "./workspace.ts";

export interface TodoPlace {
  readonly goalId: string | null;
  readonly agentId: string | null;
  readonly todoId: string | null;
}

export async function goalOfTodo(
  workspace: Workspace,
  request: TodoPlace,
): Promise<string | Exclude<Reply<never>, { kind: "done" }>> {
  if (request.goalId !== null) return request.goalId;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const [only, second] = await rows.value.page(null, 2);
  return only !== undefined && second === undefined ? only.goal.goal_id : await goalOfLease(workspace, request);
}
