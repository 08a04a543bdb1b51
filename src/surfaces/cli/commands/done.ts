import { donePage } from "../../../core/show/markdown/done.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const done: Run = async (context, options) => {
  const app = await context.app();
  const seconds = options.number("wall-seconds");
  const reply = await app.done({
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    summary: options.text("summary"),
    next: options.list("next"),
    noFollowUp: options.flag("no-follow-up"),
    reason: options.text("reason"),
    leaseEpoch: options.number("lease-epoch"),
    leaseKey: options.text("task-lease-idempotency-key"),
    leaseVersion: options.number("task-lease-expected-version"),
    turnInstanceId: options.text("turn-instance-id"),
    slots: options.number("slots"),
    tokens: options.number("tokens"),
    wallMs: seconds === null ? null : Math.round(seconds * 1000),
    noCache: options.flag("no-cache"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, donePage);
};
