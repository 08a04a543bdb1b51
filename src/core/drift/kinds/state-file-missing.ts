import type { DriftRule, Finding } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** The registry names the goal, and nothing says what it is to do. Where a path is declared, the text last accepted can stand there again. */
export const stateFileMissing: DriftRule = {
  kinds: ["state_file_missing"],
  concerns: "stopped_too",
  find(view) {
    const file = view.state_file;
    if (!view.registered || (file.kind !== "missing" && file.kind !== "not_declared")) return [];
    const shared = { kind: "state_file_missing", severity: "high", since: file.since } as const satisfies Partial<Finding>;
    if (file.kind === "missing") {
      const fix = { command: goalCommand(view, "drift", "--fix"), safe: true };
      return [{ ...shared, declared: file.path, observed: "no such file", fix }];
    }
    const remove = goalCommand(view, "goal remove");
    const fix = { person: `name the goal's \`state_file\` in the registry, or give the goal up with \`${remove}\`` };
    return [{ ...shared, declared: "a registered goal", observed: "the registry names no state file for it", fix }];
  },
};
