import { archivesPage } from "../../../core/show/markdown/archives.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const archives: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.archives({
    goalId: options.text("goal-id"),
    archiveRoot: options.text("archive-root"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, (answer) => archivesPage(answer, context.now()));
};
