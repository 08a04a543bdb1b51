/** What is wrong with the registry, line by line. */

import type { Problem } from "../../core/result.ts";
import { counted } from "../../core/show/markdown/table.ts";
import { type Check, type Found, looked, NO_ROOTS } from "./check.ts";

export const registry: Check = {
  name: "registry",
  look: ({ registry: reply }) => {
    if (reply === null) return NO_ROOTS;
    if (reply.kind !== "done") {
      const problems: readonly Problem[] = reply.kind === "bad_input" && reply.problems.length > 0 ? reply.problems : [reply];
      return looked(
        "cannot be read",
        problems.map((problem) => foundOf(problem, "error")),
      );
    }
    const { goals, problems } = reply.value.registry;
    return looked(
      counted(goals.length, "goal"),
      problems.map((problem) => foundOf(problem, problem.severity)),
    );
  },
};

function foundOf({ path, line, message }: Problem, severity: Found["severity"]): Found {
  return { severity, message, ...(path !== undefined && { path }), ...(line !== undefined && { line }) };
}
