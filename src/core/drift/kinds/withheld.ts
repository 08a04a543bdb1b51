import type { Withheld } from "../../show/view.ts";
import type { DriftRule, Finding } from "../drift.ts";
import { goalCommand } from "../drift.ts";

const SHOWN_IDS = 5;

type Told = Pick<Finding, "kind" | "severity" | "declared" | "observed">;

/** Something is gone from the state file, and absence is not yet taken for a wish (design 3). */
export const withheld: DriftRule = {
  kinds: ["state_file_shrunk", "heading_missing", "todo_missing"],
  concerns: "stopped_too",
  find: (view) =>
    view.withheld.map((difference) => {
      const told = tell(difference);
      const fix =
        told.kind === "todo_missing"
          ? { command: goalCommand(view, "drift", "--fix"), safe: true }
          : {
              person: "put the lost lines back from the editor or a backup, or delete the todos one by one under their headings",
            };
      return { ...told, since: difference.since, fix };
    }),
};

function tell({ kind, todo_ids }: Withheld): Told {
  const declared = todo_ids.length === 0 ? "what was last accepted" : idList(todo_ids);
  if (kind === "todo_missing") return { kind, severity: "watch", declared, observed: "not in the state file any more" };
  if (kind === "heading_missing") return { kind, severity: "action", declared, observed: "their section's heading is gone" };
  return { kind: "state_file_shrunk", severity: "action", declared, observed: "the state file is empty or much shorter" };
}

function idList(ids: readonly string[]): string {
  const more = ids.length - SHOWN_IDS;
  return ids.slice(0, SHOWN_IDS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
