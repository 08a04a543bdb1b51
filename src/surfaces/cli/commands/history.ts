import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const history: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.history({
    goalId: options.text("goal-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, "Runs");
};
