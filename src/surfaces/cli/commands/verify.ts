import { verifyPage } from "../../../core/show/markdown/verify.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const verify: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.verify({
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    turnInstanceId: options.text("turn-instance-id"),
    leaseEpoch: options.number("lease-epoch"),
    noCache: options.flag("no-cache"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, verifyPage);
};
