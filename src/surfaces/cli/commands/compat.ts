import { done } from "../../../core/result.ts";
import {
  diagnosisPage,
  evidenceLogPage,
  quotaPlanPage,
  quotaStatusPage,
  shouldRunPage,
} from "../../../core/show/markdown/compat.ts";
import { turnEnvelope } from "../../../core/show/should-run.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const shouldRun: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.shouldRun({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    turnInstanceId: options.text("turn-instance-id"),
    capabilities: options.list("available-capability"),
    runtimeProfile: options.text("runtime-profile"),
    detail: options.list("include-detail").length > 0,
  });
  if (reply.kind !== "done" || !options.flag("turn-envelope")) return shown(reply, shouldRunPage);
  const answer = reply.value;
  return done({ payload: turnEnvelope(answer), markdown: () => shouldRunPage(answer) });
};

export const quotaStatus: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.quotaStatus({
    goalId: options.text("goal-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, quotaStatusPage);
};

export const quotaPlan: Run = async (context) => shown(await (await context.app()).quotaPlan(), quotaPlanPage);

export const evidenceLog: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.evidenceLog({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    since: options.text("since"),
    limit: options.number("limit"),
    thin: options.flag("thin"),
  });
  return shown(reply, evidenceLogPage);
};

export const diagnose: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.diagnose({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    instance: null,
    capabilities: options.list("available-capability"),
  });
  return shown(reply, diagnosisPage);
};
