import { restorePage } from "../../../core/show/markdown/restore.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const restore: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.restore({
    goalId: goalIdOf(options),
    archivePath: options.text("archive-path"),
    archiveRoot: options.text("archive-root"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, restorePage);
};
