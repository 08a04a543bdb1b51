/**
 * Looks at the files of all goals, a few at a time, and says whose may have changed since the last look.
 *
 * Does not own: what a change means (`Watched.reconcile`), when to look (`live.ts`).
 *
 * W1  No stretch of looking holds the event loop longer than `SLICE_MS` plus the look at one goal.
 * W2  A fingerprint that proves nothing yet (the file changed less than two seconds before) counts as a change next time.
 * W3  A goal whose reconciliation failed is forgotten, so that the next round tries it again.
 */
import type { GoalId } from "../core/id.ts";
import type { Files } from "../ports/files.ts";
import type { Clock } from "../ports/system.ts";
import type { Scheduler } from "./scheduler.ts";

const SLICE_MS = 1;
const UNSETTLED = "unsettled";

export interface WatchedGoal {
  readonly goal_id: GoalId;
  /** Its registry entry, as text: a change of it is a change of the goal. */
  readonly declaration: string;
  /** State file, run index, and whatever else decides what is shown of it. */
  readonly paths: readonly string[];
}

export interface SweepSources {
  readonly files: Pick<Files, "fingerprint" | "isSettled">;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export interface Sweep {
  /** Goals that changed since they were last looked at; those not in `goals` are forgotten. */
  changed(goals: readonly WatchedGoal[]): Promise<readonly GoalId[]>;
  hasChanged(goal: WatchedGoal): boolean;
  forget(goalIds: readonly GoalId[]): void;
}

export function sweepOf({ files, clock, scheduler }: SweepSources): Sweep {
  let seen = new Map<GoalId, string>();

  const printOf = (path: string): string => {
    const print = files.fingerprint(path);
    if (print === null) return "none";
    return files.isSettled(print, clock.now()) ? print : UNSETTLED; // (W2)
  };
  const lookAt = (goal: WatchedGoal): string => [goal.declaration, ...goal.paths.map(printOf)].join("\0");
  const differs = (before: string | undefined, now: string): boolean => before !== now || now.includes(UNSETTLED);

  return {
    changed: async (goals) => {
      const before = seen;
      const next = new Map<GoalId, string>();
      const changed: GoalId[] = [];
      let sliceStart = scheduler.elapsed();
      for (const goal of goals) {
        if (scheduler.elapsed() - sliceStart >= SLICE_MS) {
          await scheduler.breathe(); // (W1)
          sliceStart = scheduler.elapsed();
        }
        const now = lookAt(goal);
        if (differs(before.get(goal.goal_id), now)) changed.push(goal.goal_id);
        next.set(goal.goal_id, now);
      }
      seen = next;
      return changed;
    },
    hasChanged: (goal) => {
      const now = lookAt(goal);
      const changed = differs(seen.get(goal.goal_id), now);
      seen.set(goal.goal_id, now);
      return changed;
    },
    forget: (goalIds) => {
      for (const goalId of goalIds) seen.delete(goalId); // (W3)
    },
  };
}
