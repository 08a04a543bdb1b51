import { reject } from "../../../core/result.ts";
import { rebuildPage } from "../../../core/show/markdown/rebuild.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const rebuild: Run = async (context, options) => {
  const goalId = options.text("goal-id");
  if ((goalId === null) !== options.flag("all")) {
    const message = "loopx rebuild takes either --goal-id or --all";
    return reject(goalId === null ? "option_missing" : "option_conflict", message, { fix: "loopx rebuild --all" });
  }
  const app = await context.app();
  return shown(await app.rebuild({ goalId }), rebuildPage);
};
