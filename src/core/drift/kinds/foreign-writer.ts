import type { DriftRule } from "../drift.ts";

/** Another program still appends to the goal's run index. */
export const foreignWriter: DriftRule = {
  kinds: ["foreign_writer"],
  concerns: "archived_too",
  find(view) {
    if (view.runs.foreign_writer === null) return [];
    const { since, generated_at } = view.runs.foreign_writer;
    return [
      {
        kind: "foreign_writer",
        severity: "info",
        declared: "LoopX records the runs of this goal",
        observed: `another program recorded a run at ${generated_at}`,
        since,
        fix: { person: "nothing is lost: both are read; to have one writer, stop the other program" },
      },
    ];
  },
};
