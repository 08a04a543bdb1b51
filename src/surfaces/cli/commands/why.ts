import type { WhyRequest } from "../../../commands/app.ts";
import { whyNotPage, whyPage } from "../../../core/show/markdown/why.ts";
import { at } from "../at.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { shown } from "../shown.ts";

export const why: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.why(question(options)), whyPage);
};

export const whyNot: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.whyNot({ ...question(options), todoId: options.text("todo-id") ?? "" }), whyNotPage);
};

function question(options: Options): WhyRequest {
  return {
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    instance: options.text("instance"),
    capabilities: options.list("available-capability"),
    ...at(options),
  };
}
