import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";

/** Lines of the run index are no runs; every other line counts. */
export const indexDamaged: DriftRule = {
  kinds: ["index_damaged"],
  concerns: "stopped_too",
  find(view) {
    const { damage_count: count } = view.runs;
    if (count === 0) return [];
    return [
      {
        kind: "index_damaged",
        severity: "watch",
        declared: "one run on each line of the run index",
        observed: count === 1 ? "1 line cannot be read" : `${count} lines cannot be read`,
        since: view.runs.damage_since ?? standingSince(view),
        fix: { person: "correct the lines that `problems` names; LoopX reads on past them and never rewrites what others wrote" },
      },
    ];
  },
};
