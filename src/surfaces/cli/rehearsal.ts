/** Commands that write unless told not to, and those of the reference that preview unless told to write. */
import { done, type Reply, reject } from "../../core/result.ts";
import type { Options } from "./given.ts";

interface Habit {
  readonly unlessTold: "write" | "preview";
  /** The command as a preview. */
  readonly fix: string;
}

/** Whether nothing is to be written. */
export function rehearses(options: Options, { unlessTold, fix }: Habit): Reply<boolean> {
  if (options.flag("dry-run") && options.flag("execute"))
    return reject("option_conflict", "--dry-run says not to write and --execute says to write", { fix });
  return done(options.flag("dry-run") || !(options.flagOrNull("execute") ?? unlessTold === "write"));
}
