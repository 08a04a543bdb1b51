import type { DriftRule } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** Person and LoopX changed one field at once: the person's text stands, the journal keeps both, and settling changes neither. */
export const planConflict: DriftRule = {
  kinds: ["plan_conflict"],
  concerns: "stopped_too",
  find: (view) =>
    view.conflicts.map((conflict) => ({
      kind: "plan_conflict",
      severity: "action",
      declared: conflict.theirs,
      observed: conflict.ours,
      since: conflict.since,
      fix: { command: goalCommand(view, "drift", "--fix"), safe: true },
      subject: conflict.field,
    })),
};
