import { activationPage } from "../../../core/show/markdown/edit.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const goalStop: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.goalStop({
    goalId: goalIdOf(options),
    reason: options.text("reason"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, (answer) => activationPage(answer, "no_dry_run"));
};
