import { decisionPage } from "../../../core/show/markdown/decision.ts";
import { at } from "../at.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const next: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.next({
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    turnInstanceId: options.text("turn-instance-id"),
    instance: options.text("instance"),
    capabilities: options.list("available-capability"),
    seen: options.text("seen"),
    ...at(options),
  });
  return shown(reply, decisionPage);
};
