/**
 * Which event each fact of an explanation stands in: the newest about it among the last few hundred of the goal.
 *
 * O1  A page of the journal and no more is read, whatever its length: an older origin is left out.
 */
import type { GoalEvent } from "../core/events.ts";
import type { GoalId } from "../core/id.ts";
import type { FactOrigin } from "../core/next/facts.ts";
import type { Store } from "../ports/store.ts";

/** (O1) */
const PAGE = 256;

export async function factOrigins(
  store: Pick<Store, "events">,
  { goal_id, generation, seq }: { readonly goal_id: GoalId; readonly generation: number; readonly seq: number },
): Promise<(origin: FactOrigin) => number | null> {
  const events = await store.events({ goal_id, generation, order: "newest_first", beyond_seq: seq + 1, limit: PAGE });
  const newest = new Map<string, number>();
  for (const event of events) {
    for (const key of keysOf(event)) if (!newest.has(key)) newest.set(key, event.seq);
  }
  return (origin) => (origin.kind === "plan" ? origin.seq : (newest.get(keyOf(origin)) ?? null));
}

function keysOf(event: GoalEvent): readonly string[] {
  switch (event.type) {
    case "todo.added":
      return [`todo ${event.data.todo.todo_id}`];
    case "todo.changed":
    case "todo.closed":
    case "todo.withdrawn":
    case "gate.decided":
    case "monitor.polled":
      return [`todo ${event.data.todo_id}`];
    case "lease.taken":
    case "lease.moved":
    case "lease.renewed":
    case "lease.freed":
      return [`lease ${event.data.todo_id}`];
    case "turn.spent":
    case "turn.voided":
      return ["spend"];
    case "agent.waits":
      return [`wait ${event.agent_id ?? ""}`];
    default:
      return [];
  }
}

function keyOf(origin: FactOrigin): string {
  switch (origin.kind) {
    case "todo":
    case "lease":
      return `${origin.kind} ${origin.todo_id}`;
    case "wait":
      return `wait ${origin.agent_id}`;
    default:
      return origin.kind;
  }
}
