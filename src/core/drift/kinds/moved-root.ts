import type { DriftRule } from "../drift.ts";

/** The goal's folder was recorded under another runtime root than the one it is read from. */
export const movedRoot: DriftRule = {
  kinds: ["moved_root"],
  concerns: "stopped_too",
  find(view) {
    if (view.moved_root === null) return [];
    const { recorded, actual, since } = view.moved_root;
    return [
      {
        kind: "moved_root",
        severity: "action",
        declared: recorded,
        observed: actual,
        since,
        fix: { person: `move the goal's folder back under ${recorded}, or set \`common_runtime_root\` to where it is to stay` },
      },
    ];
  },
};
