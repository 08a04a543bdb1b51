/** The run that a finished todo leaves in the goal's history: of the agent's lane, so that it says nothing about the goal's Next Action. */
import type { TodoRecord } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { AgentId, TurnId } from "../core/id.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";

export interface LaneRun {
  readonly goal: DeclaredGoal;
  readonly todo: TodoRecord;
  readonly agent: AgentId | null;
  readonly turn: TurnId | null;
  readonly summary: string;
  readonly next: string | null;
}

export function laneRun({ todo, turn, summary, next }: LaneRun): GoalCommand {
  return {
    kind: "record-run",
    run: {
      classification: "todo_completed",
      recommended_action: next ?? (summary === "" ? todo.text : summary),
      recommended_action_source: next === null ? "todo_summary" : "successor_todo",
      health_check: "ok",
      progress_scope: "agent_lane",
      delivery_outcome: "outcome_progress",
      todo_id: todo.todo_id,
      ...(turn !== null && { turn_instance_id: turn }),
      state: null,
    },
  };
}
