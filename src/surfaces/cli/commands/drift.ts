import { driftPage } from "../../../core/show/markdown/drift.ts";
import type { Run } from "../command.ts";
import { rowsOf, shown } from "../shown.ts";

export const drift: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.drift({
    goalId: options.text("goal-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
    all: options.flag("all"),
    fix: options.flag("fix"),
    dryRun: options.flag("dry-run"),
  });
  const rows = options.text("goal-id") === null ? rowsOf(options) : "all";
  return shown(reply, (answer) => driftPage(answer, { now: context.now(), rows }));
};
