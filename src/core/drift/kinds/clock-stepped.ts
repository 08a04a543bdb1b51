import type { DriftRule } from "../drift.ts";

/** This machine's clock stands far behind what the goal's journal has already seen. */
export const clockStepped: DriftRule = {
  kinds: ["clock_stepped"],
  concerns: "archived_too",
  find(view) {
    if (view.clock_stepped === null) return [];
    const { last_at } = view.clock_stepped;
    return [
      {
        kind: "clock_stepped",
        severity: "high",
        declared: `the journal reaches ${last_at}`,
        observed: "the clock of this machine stands before that",
        since: last_at,
        fix: { person: "set the clock of this machine; what was recorded keeps its times" },
      },
    ];
  },
};
