import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** A folder of runs that no registry entry names: of an older time, of another registry, or of a slip of the pen. */
export const runtimeGoalNotRegistered: DriftRule = {
  kinds: ["runtime_goal_not_registered"],
  concerns: "running",
  find(view) {
    if (view.registered) return [];
    const [add, archive] = [goalCommand(view, "goal add", "--objective", "What it is for"), goalCommand(view, "archive")];
    return [
      {
        kind: "runtime_goal_not_registered",
        severity: "action",
        declared: "no goal of that id in the registry",
        observed: `a folder with ${view.runs.count} run${view.runs.count === 1 ? "" : "s"}`,
        since: standingSince(view),
        fix: { person: `decide whether it is still wanted: \`${add}\` or \`${archive}\`` },
      },
    ];
  },
};
