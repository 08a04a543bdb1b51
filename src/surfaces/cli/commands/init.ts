import { initPage } from "../../../core/show/markdown/edit.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const init: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.init({
    objective: options.text("objective") ?? "",
    goalId: options.text("goal-id"),
    project: options.text("project"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, initPage);
};
