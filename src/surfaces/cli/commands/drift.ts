import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const drift: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.drift({
    goalId: options.text("goal-id"),
    fix: options.flag("fix"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, "Drift");
};
