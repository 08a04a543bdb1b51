import { resolve } from "node:path";
import { UNASKED } from "../../../commands/launch-words.ts";
import type { Run } from "../command.ts";
import { launchTeam } from "./launch.ts";

/** As in the reference: a preview unless `--execute`, and then a team in the background. */
export const multiAgentLaunch: Run = async (context, options) => {
  const workspace = options.text("workspace");
  return await launchTeam(context, {
    ...UNASKED,
    spec: resolve(context.cwd, options.text("spec") ?? ""),
    session: options.text("session"),
    workspace: workspace === null ? null : resolve(context.cwd, workspace),
    hostCommand: options.text("host-command-json"),
    validationCommand: options.text("validation-command-json"),
    acceptUnvalidated: options.flag("accept-unvalidated"),
    idleExit: options.text("idle-exit"),
    maxTurns: options.number("turns"),
    register: options.flag("register"),
    mode: options.flag("foreground") ? "foreground" : "detach",
    dryRun: !options.flag("execute") || options.flag("dry-run"),
  });
};
