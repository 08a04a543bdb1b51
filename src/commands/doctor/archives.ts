/** Goals on their way to or from the archive: whoever was moving them was cut off, or is at it now. */
import { loopxCommand } from "../../core/command-line.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import { everyHead } from "../every-head.ts";
import { type Check, type Found, looked, NO_STORE } from "./check.ts";

export const archives: Check = {
  name: "archives",
  look: async ({ workspace, rows }) => {
    if (workspace === null || rows === null) return NO_STORE;
    const found: Found[] = [];
    for await (const head of everyHead({ store: workspace.store, registry: rows.path })) found.push(...ofGoal(head));
    return looked(found.length === 0 ? "none unfinished" : `${found.length} unfinished`, found);
  },
};

function ofGoal({ goal_id, lifecycle }: GoalHead): readonly Found[] {
  if (lifecycle.kind !== "archiving" && lifecycle.kind !== "restoring") return [];
  const verb = lifecycle.kind === "archiving" ? "archive" : "restore";
  const message = `goal ${goal_id} is on its way since ${lifecycle.since}; the same command finishes it`;
  return [{ severity: "warning", message, path: lifecycle.target, fix: loopxCommand(verb, "--goal-id", goal_id) }];
}
