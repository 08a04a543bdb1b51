import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";

/** The goal declares a state file that is there and cannot be read; its bytes stay as they are. */
export const stateFileUnreadable: DriftRule = {
  kinds: ["state_file_unreadable"],
  concerns: "stopped_too",
  find(view) {
    if (view.state_file.kind !== "unreadable") return [];
    const { path, problem } = view.state_file;
    const place = problem.line === undefined ? "" : ` (line ${problem.line})`;
    return [
      {
        kind: "state_file_unreadable",
        severity: "high",
        declared: path,
        observed: `${problem.message}${place}`,
        since: standingSince(view),
        fix: { person: `make ${path} readable again; LoopX never overwrites a file that it cannot read` },
      },
    ];
  },
};
