import { loopxCommand } from "../../../core/command-line.ts";
import { reject } from "../../../core/result.ts";
import { archiveRuntimePage } from "../../../core/show/markdown/archive-runtime.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

/** Writes unless told not to. */
export const archive: Run = archiving("write");

/** Previews unless told to write. */
export const archiveRuntime: Run = archiving("preview");

function archiving(unlessTold: "write" | "preview"): Run {
  return async (context, options) => {
    if (contradicts(options)) {
      return reject("option_conflict", "--dry-run says not to write and --execute says to write", {
        fix: loopxCommand("archive", "--goal-id", goalIdOf(options), "--dry-run"),
      });
    }
    const app = await context.app();
    const reply = await app.archive({
      goalId: goalIdOf(options),
      archiveRoot: options.text("archive-root"),
      allowRegistered: options.flag("allow-registered"),
      dryRun: options.flag("dry-run") || !(options.flagOrNull("execute") ?? unlessTold === "write"),
    });
    return shown(reply, archiveRuntimePage);
  };
}

function contradicts(options: Options): boolean {
  return options.flag("dry-run") && options.flag("execute");
}
