/** What an agent does about a plan that does not go on. */
import type { GoalCommand } from "../goal/command.ts";
import { NO_FENCE } from "../goal/fence.ts";
import type { GoalHead } from "../goal/head.ts";
import type { AgentId, TodoId } from "../id.ts";
import type { Why } from "../next/decision.ts";
import type { SimRequest } from "./request.ts";
import type { Surroundings } from "./surroundings.ts";
import { newWork } from "./work.ts";

export interface Stuck {
  readonly agent: AgentId;
  readonly why: Why;
  readonly todo_id: TodoId | null;
}

export function newPlan(world: Surroundings, stuck: Stuck): SimRequest | null {
  const { head } = world.goal();
  if (head === null) return null;
  const [does, commands] = planOf(world, stuck, head);
  return { kind: "plan", by: stuck.agent, does, commands };
}

function planOf(world: Surroundings, { agent, why, todo_id }: Stuck, head: GoalHead): readonly [string, readonly GoalCommand[]] {
  const todo = todo_id === null ? undefined : world.goal().todos.get(todo_id);
  const fence = { ...NO_FENCE, agent_id: agent, epoch: head.leases[todo_id ?? ""]?.epoch ?? null };
  if (todo !== undefined && why === "gap") {
    const metadata = { ...todo.metadata, no_followup: "true", reason: "that was all" };
    return [`explains ${todo.todo_id}`, [{ kind: "change-todo", todo_id: todo.todo_id, fields: { metadata }, fence }]];
  }
  if (todo !== undefined && world.random.chance(0.5)) {
    const fields = { text: `${todo.text} otherwise` };
    return [`rewords ${todo.todo_id}`, [{ kind: "change-todo", todo_id: todo.todo_id, fields, fence }]];
  }
  const instead = newWork(world, head, { text: "Do it otherwise", metadata: {} });
  const add: GoalCommand = { kind: "add-todo", todo: instead };
  if (todo === undefined) return [`adds ${instead.todo_id}`, [add]];
  const next = { kind: "successors", todo_ids: [instead.todo_id] } as const;
  const close: GoalCommand = { kind: "close-todo", todo_id: todo.todo_id, outcome: "superseded", next, fields: {}, fence };
  return [`supersedes ${todo.todo_id} by ${instead.todo_id}`, [add, close]];
}
