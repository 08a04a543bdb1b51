import { statusPage } from "../../../core/show/markdown/status.ts";
import type { Run } from "../command.ts";
import { rowsOf, shown } from "../shown.ts";

export const goalList: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.goalList({
    limit: options.number("limit"),
    cursor: options.text("cursor"),
    all: options.flag("all"),
  });
  return shown(reply, (answer) => statusPage(answer, { now: context.now(), rows: rowsOf(options) }));
};
