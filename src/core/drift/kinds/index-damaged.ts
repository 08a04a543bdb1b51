import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** Lines of the run index are no runs; every other line counts. */
export const indexDamaged: DriftRule = {
  kinds: ["index_damaged"],
  concerns: "stopped_too",
  find(view) {
    const { damage_count: count } = view.runs;
    if (count === 0) return [];
    const show = goalCommand(view, "goal show");
    return [
      {
        kind: "index_damaged",
        severity: "watch",
        declared: "one run on each line of the run index",
        observed: count === 1 ? "1 line cannot be read" : `${count} lines cannot be read`,
        since: view.runs.damage_since ?? standingSince(view),
        fix: { person: `correct the lines that \`${show}\` names, or leave them: every other line counts` },
      },
    ];
  },
};
