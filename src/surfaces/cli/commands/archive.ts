import { loopxCommand } from "../../../core/command-line.ts";
import { archiveRuntimePage } from "../../../core/show/markdown/archive-runtime.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

/** Writes unless told not to. */
export const archive: Run = archiving("write");

/** Previews unless told to write. */
export const archiveRuntime: Run = archiving("preview");

function archiving(unlessTold: "write" | "preview"): Run {
  return async (context, options) => {
    const fix = loopxCommand("archive", "--goal-id", goalIdOf(options), "--dry-run");
    const dryRun = rehearses(options, { unlessTold, fix });
    if (dryRun.kind !== "done") return dryRun;
    const app = await context.app();
    const reply = await app.archive({
      goalId: goalIdOf(options),
      archiveRoot: options.text("archive-root"),
      allowRegistered: options.flag("allow-registered"),
      dryRun: dryRun.value,
    });
    return shown(reply, archiveRuntimePage);
  };
}
