// What the benches call without a command line; bundled by product.mjs, for Node 20 does not run TypeScript.

export { PLAIN_RUN } from "../src/commands/plain-run.ts";
export { rebuild } from "../src/commands/rebuild.ts";
export { registryRows } from "../src/commands/registry-rows.ts";
export { sim } from "../src/commands/sim.ts";
export { compose } from "../src/compose.ts";
export { simGround } from "../src/compose-sim.ts";
export { append, draftOf } from "../src/core/goal/draft.ts";
export { parseAgentId, parseGoalId, parseTodoId } from "../src/core/id.ts";
export { instantFromEpoch } from "../src/core/instant.ts";
export { comparePlans } from "../src/core/plan/compare.ts";
export { applyEdits } from "../src/core/plan/edit.ts";
export { parsePlan } from "../src/core/plan/parse.ts";
export { editTodo } from "../src/core/plan/splice.ts";
