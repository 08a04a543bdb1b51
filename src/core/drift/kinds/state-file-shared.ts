import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";

/** Two goals of the registry name one state file: each takes the other's todos for its own. */
export const stateFileShared: DriftRule = {
  kinds: ["state_file_shared"],
  concerns: "running",
  find(view) {
    if (view.shares_state_file_with.length === 0 || view.state_file.kind === "not_declared") return [];
    return [
      {
        kind: "state_file_shared",
        severity: "action",
        declared: view.state_file.path,
        observed: `also the state file of ${view.shares_state_file_with.join(", ")}`,
        since: view.registry_changed_at ?? standingSince(view),
        fix: { person: "give each goal a state file of its own in the registry" },
      },
    ];
  },
};
