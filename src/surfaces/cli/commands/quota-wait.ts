import { waitPage } from "../../../core/show/markdown/wait.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const quotaHold: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.quotaHold({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    until: options.text("until"),
    minutes: options.number("minutes"),
    reason: options.text("reason"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, waitPage);
};

export const quotaResume: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.quotaResume({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    reason: options.text("reason"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, waitPage);
};
