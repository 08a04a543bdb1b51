/**
 * Whether the size limits of a goal let a fact be recorded that a command asks for.
 *
 * Does not own: the limits and their wording (`limits.ts`). What people changed in their files is a fact already and is never
 * asked about here.
 *
 * W1  What ends or records work, or stops a goal, is never refused for size.
 * W2  When the goal's data are full, only what can be left out is refused: what a poll saw without change, and evidence that
 *     was merely reported.
 */
import type { GoalFact } from "../events.ts";
import type { Refusal } from "../result.ts";
import { deliveredRun } from "../runs/delivered.ts";
import { eventBytesBar, type LimitedGoal, spareWriteBar } from "./limits.ts";

/** (W1) */
const FREE: ReadonlySet<GoalFact["type"]> = new Set<GoalFact["type"]>([
  "goal.opened",
  "goal.activated",
  "goal.stopped",
  "todo.closed",
  "todo.withdrawn",
  "gate.decided",
  "lease.renewed",
  "lease.freed",
  "turn.written",
  "turn.spent",
  "turn.voided",
  "agent.wait_ended",
  "plan.conflict",
  "plan.conflict_settled",
  "runtime.measured",
  "archive.started",
  "archive.done",
  "restore.started",
  "restore.done",
]);

export function factBar(goal: LimitedGoal, fact: GoalFact, runtimeBytes: number): Refusal | null {
  if (isFree(fact)) return null;
  const full = isSpare(fact) ? spareWriteBar(goal, runtimeBytes) : null; // (W2)
  return full ?? eventBytesBar(goal, JSON.stringify(saidIn(fact)));
}

function isFree(fact: GoalFact): boolean {
  if (fact.type === "run.recorded") return deliveredRun(fact.data);
  return FREE.has(fact.type) || (fact.type === "evidence.recorded" && fact.data.outcome !== "reported");
}

function isSpare(fact: GoalFact): boolean {
  return (fact.type === "monitor.polled" && !fact.data.changed) || fact.type === "evidence.recorded";
}

/** What a run found in the state file is not what was asked to be written. */
function saidIn(fact: GoalFact): unknown {
  if (fact.type !== "run.recorded") return fact.data;
  const { state: _found, ...said } = fact.data;
  return said;
}
