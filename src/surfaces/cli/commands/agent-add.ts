import { loopxCommand } from "../../../core/command-line.ts";
import { configureGoalPage } from "../../../core/show/markdown/configure-goal.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

/** Writes unless told not to. */
export const agentAdd: Run = adding("write");

/** Previews unless told to write. */
export const registerAgent: Run = adding("preview");

function adding(unlessTold: "write" | "preview"): Run {
  return async (context, options) => {
    const [goalId, agentIds] = [goalIdOf(options), options.list("agent-id")];
    const agents = agentIds.flatMap((agent) => ["--agent-id", agent]);
    const fix = loopxCommand("agent", "add", "--goal-id", goalId, ...agents, "--dry-run");
    const dryRun = rehearses(options, { unlessTold, fix });
    if (dryRun.kind !== "done") return dryRun;
    const app = await context.app();
    const reply = await app.agentAdd({ goalId, agentIds, requireNew: options.flag("require-new"), dryRun: dryRun.value });
    return shown(reply, (answer) => configureGoalPage(answer, unlessTold === "write" ? "no_dry_run" : "execute"));
  };
}
