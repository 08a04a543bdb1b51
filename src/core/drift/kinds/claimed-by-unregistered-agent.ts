import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";

/** A todo is held by a name that the registry does not know, so that nobody may finish it. */
export const claimedByUnregisteredAgent: DriftRule = {
  kinds: ["claimed_by_unregistered_agent"],
  concerns: "running",
  find: (view) =>
    view.unregistered_claims.map((todo) => ({
      kind: "claimed_by_unregistered_agent",
      severity: "action",
      declared: `agents: ${view.registered_agents.length === 0 ? "none" : view.registered_agents.join(", ")}`,
      observed: `${todo.todo_id} is claimed by ${todo.claimed_by ?? "an unknown name"}`,
      since: todo.since ?? standingSince(view),
      fix: { person: "add the agent to `coordination.registered_agents` in the registry, or take `claimed_by` off the todo" },
      subject: todo.todo_id,
    })),
};
