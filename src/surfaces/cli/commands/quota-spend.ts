import { loopxCommand } from "../../../core/command-line.ts";
import { spendPage } from "../../../core/show/markdown/spend.ts";
import { voidPage } from "../../../core/show/markdown/void.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

export const quotaSpendSlot: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const fix = loopxCommand("quota", "spend-slot", "--goal-id", goalId);
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const seconds = options.number("wall-seconds");
  const app = await context.app();
  const reply = await app.quotaSpendSlot({
    goalId,
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    turnInstanceId: options.text("turn-instance-id"),
    slots: options.number("slots"),
    tokens: options.number("tokens"),
    wallMs: seconds === null ? null : Math.round(seconds * 1000),
    source: options.text("source") ?? "heartbeat",
    dryRun: dryRun.value,
  });
  return shown(reply, spendPage);
};

export const quotaVoidSlot: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const fix = loopxCommand("quota", "void-slot", "--goal-id", goalId);
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const app = await context.app();
  const reply = await app.quotaVoidSlot({
    goalId,
    voidSeq: options.number("void-seq"),
    voidGeneratedAt: options.text("void-generated-at"),
    reason: options.text("reason-summary") ?? "",
    dryRun: dryRun.value,
  });
  return shown(reply, voidPage);
};
