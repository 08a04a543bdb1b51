/** Whether every goal's state file can be read, and what in it is not understood, harmless things included. */

import { loopxCommand } from "../../core/command-line.ts";
import type { Diagnostic } from "../../core/plan/plan.ts";
import type { DeclaredGoal } from "../../core/registry/registry.ts";
import type { Roots } from "../../core/registry/resolve-roots.ts";
import { counted } from "../../core/show/markdown/table.ts";
import { placesOf } from "../goal-places.ts";
import { readStateFile } from "../state-file.ts";
import { type Check, type Examined, type Found, looked, NO_ROOTS, skipped } from "./check.ts";

export const stateFiles: Check = {
  name: "state_files",
  look: (examined) => {
    const { roots, registry } = examined;
    if (roots.kind !== "done" || registry === null) return NO_ROOTS;
    if (registry.kind !== "done") return skipped("the registry cannot be read");
    const { goals } = registry.value.registry;
    const found = goals.flatMap((goal) => ofGoal(examined, { goal, roots: roots.value }));
    return looked(counted(goals.length, "state file"), found);
  },
};

function ofGoal(examined: Examined, { goal, roots }: { readonly goal: DeclaredGoal; readonly roots: Roots }): readonly Found[] {
  const { files, tree, digest, clock, view } = examined;
  const ports = { roots, home: view.home, files, tree, digest, clock };
  const { repo, state_file } = placesOf(ports, goal);
  const state = readStateFile(ports, state_file, { folder: repo, since: clock.now() });
  switch (state.kind) {
    case "not_declared":
      return []; // a problem of the registry
    case "missing": {
      const fix = loopxCommand("drift", "--fix", "--goal-id", goal.goal_id);
      return [{ severity: "warning", message: `the state file of goal ${goal.goal_id} is missing`, path: state.path, fix }];
    }
    case "unreadable": {
      const { message, line } = state.problem;
      return [{ severity: "error", message, path: state.path, ...(line !== undefined && { line }) }];
    }
    case "read":
      return state.plan.diagnostics.map((diagnostic) => ofDiagnostic(state.path, diagnostic));
  }
}

/** What a file does without as a whole is no mistake in it. */
function ofDiagnostic(path: string, { severity, line, message }: Diagnostic): Found {
  if (line !== null) return { severity, message, path, line };
  return { severity: severity === "warning" ? "info" : severity, message, path };
}
