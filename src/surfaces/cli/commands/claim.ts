import { claimPage } from "../../../core/show/markdown/claim.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const claim: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.claim({
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    turnInstanceId: options.text("turn-instance-id"),
    instance: options.text("instance"),
    ttlSeconds: options.number("ttl-seconds"),
    capabilities: options.list("available-capability"),
    writeScopes: options.list("write-scope"),
    idempotencyKey: options.text("idempotency-key"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, claimPage);
};
