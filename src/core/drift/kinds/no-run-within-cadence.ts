import type { Instant } from "../../instant.ts";
import { addMilliseconds } from "../../instant.ts";
import { lastActivityOf, standingSince } from "../../show/now.ts";
import type { GoalView } from "../../show/view.ts";
import type { DriftRule } from "../drift.ts";
import { goalCommand } from "../drift.ts";

const UNITS: readonly (readonly [name: string, milliseconds: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** Nobody has recorded anything for longer than the goal allows. */
export const noRunWithinCadence: DriftRule = {
  kinds: ["no_run_within_cadence"],
  concerns: "running",
  find(view, now) {
    const due = dueAt(view, now);
    if (due === null || now < due || view.cadence_ms === null) return [];
    const last = lastActivityOf(view, now);
    const stop = goalCommand(view, "goal stop");
    return [
      {
        kind: "no_run_within_cadence",
        severity: "action",
        declared: `a run every ${span(view.cadence_ms)}`,
        observed: last === null ? "no run yet" : `last run ${last}`,
        since: due,
        fix: { person: `only the work itself ends this: let an agent take a turn, or stop the goal with \`${stop}\`` },
      },
    ];
  },
  nextChange(view, now) {
    const due = dueAt(view, now);
    return due !== null && due > now ? due : null;
  },
};

/** Null for a goal that names no cadence. */
function dueAt(view: GoalView, now: Instant): Instant | null {
  if (view.cadence_ms === null) return null;
  return addMilliseconds(lastActivityOf(view, now) ?? standingSince(view), view.cadence_ms);
}

function span(milliseconds: number): string {
  const [name, size] = UNITS.find(([, unit]) => milliseconds >= unit && milliseconds % unit === 0) ?? ["millisecond", 1];
  const count = milliseconds / size;
  return count === 1 ? name : `${count} ${name}s`;
}
