/** Whether the engine finds the store whole, and the journal without holes. */
import { type Check, looked, NO_STORE } from "./check.ts";

export const integrity: Check = {
  name: "integrity",
  look: async ({ workspace }) => {
    if (workspace === null) return NO_STORE;
    const problems = await workspace.store.integrityProblems();
    const { path } = workspace.store.facts();
    const found = problems.map((message) => ({ severity: "error", message, path, fix: "loopx rebuild --all" }) as const);
    return looked(problems.length === 0 ? "whole" : "damaged", found);
  },
};
