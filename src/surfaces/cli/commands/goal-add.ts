import { goalAddPage } from "../../../core/show/markdown/edit.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const goalAdd: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.goalAdd({
    goalId: goalIdOf(options),
    objective: options.text("objective") ?? "",
    displayName: options.text("display-name"),
    stateFile: options.text("state-file"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, goalAddPage);
};
