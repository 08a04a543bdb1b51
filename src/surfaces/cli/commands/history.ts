import { historyPage } from "../../../core/show/markdown/history.ts";
import { at } from "../at.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const history: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.history({
    goalId: options.text("goal-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
    all: options.flag("all"),
    ...at(options),
  });
  return shown(reply, (answer) => historyPage(answer, context.now()));
};
