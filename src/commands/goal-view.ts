/**
 * Puts a goal's view together from its parts: no I/O here.
 *
 * Does not own: the plan's part (`plan-part.ts`), the runs (`read-runs.ts`), judging differences (`core/drift`).
 *
 * B2  What the plan says and what the runs say are separate parts: one can be made anew without the other.
 */
import type { GoalHead } from "../core/goal/head.ts";
import type { Instant } from "../core/instant.ts";
import type { GoalView } from "../core/show/view.ts";
import type { ReadRuns } from "./read-runs.ts";

export const SHOWN_PROBLEMS = 20;

type FromRuns = "runs" | "moved_root";
type FromHead = "lifecycle" | "clock_stepped" | "gathered_at";

/** Everything of a view that runs and the clock do not change. */
export type PlanPart = Omit<GoalView, FromRuns | FromHead>;

/** (B2) */
export function viewOf(
  plan: PlanPart,
  read: ReadRuns,
  moment: { readonly head: GoalHead | null; readonly clock_stepped: GoalView["clock_stepped"]; readonly now: Instant },
): GoalView {
  const { cadence_ms, problems, problem_count, conflicts, withheld, ...rest } = plan;
  return {
    ...rest,
    conflicts,
    withheld,
    lifecycle: moment.head?.lifecycle ?? { kind: "active" },
    runs: read.runs,
    cadence_ms,
    clock_stepped: moment.clock_stepped,
    moved_root: read.moved_root,
    problems: [...problems, ...read.problems].slice(0, SHOWN_PROBLEMS),
    problem_count: problem_count + Math.max(read.problems.length, read.runs.damage_count),
    gathered_at: moment.now,
  };
}
