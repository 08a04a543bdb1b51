import { parseInstant } from "../../instant.ts";
import { standingSince } from "../../show/now.ts";
import type { DriftRule } from "../drift.ts";
import { goalCommand } from "../drift.ts";

/** A recorded run names files that are gone. */
export const artifactsMissing: DriftRule = {
  kinds: ["artifacts_missing"],
  concerns: "stopped_too",
  find: (view) =>
    view.runs.missing_artifacts.map(({ generated_at, paths, origin }) => ({
      kind: "artifacts_missing",
      severity: "watch",
      declared: paths.join(", "),
      observed: "no such file",
      since: parseInstant(generated_at) ?? standingSince(view),
      fix:
        origin === "foreign"
          ? { person: "another program wrote this run: restore its files from a backup, or leave it; the row itself is kept" }
          : { command: goalCommand(view, "drift", "--fix"), safe: true },
      subject: generated_at,
    })),
};
