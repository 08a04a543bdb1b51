import { goalRemovePage } from "../../../core/show/markdown/edit.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const goalRemove: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.goalRemove({ goalId: goalIdOf(options), dryRun: options.flag("dry-run") }), goalRemovePage);
};
