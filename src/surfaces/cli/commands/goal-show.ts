import { goalPage } from "../../../core/show/markdown/goal.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const goalShow: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.goalShow({ goalId: goalIdOf(options) }), (answer) => goalPage(answer, context.now()));
};
