import type { ConfigureGoalRequest } from "../../../commands/app.ts";
import { loopxCommand } from "../../../core/command-line.ts";
import { WAITING_ON } from "../../../core/registry/edit-goal.ts";
import { done, type Reply, reject } from "../../../core/result.ts";
import { configureGoalPage } from "../../../core/show/markdown/configure-goal.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

/** Previews unless told to write; without a setting it shows what there is. */
export const configureGoal: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const fix = loopxCommand("configure-goal", "--goal-id", goalId);
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const writeScope = scopeOf(options);
  if (writeScope.kind !== "done") return writeScope;
  const waitingOn = waitingOf(options);
  if (waitingOn.kind !== "done") return waitingOn;
  const app = await context.app();
  const reply = await app.configureGoal({
    goalId,
    quotaCompute: options.number("quota-compute"),
    quotaWindowHours: options.number("quota-window-hours"),
    writeScope: writeScope.value,
    waitingOn: waitingOn.value,
    agentWorkModes: options.list("agent-work-mode"),
    dryRun: dryRun.value,
  });
  return shown(reply, (answer) => configureGoalPage(answer, "execute"));
};

function scopeOf(options: Options): Reply<ConfigureGoalRequest["writeScope"]> {
  const items = options.list("write-scope");
  const [replaces, clears] = [options.flag("replace-write-scope"), options.flag("clear-write-scope")];
  if (clears && items.length > 0) return conflict("--clear-write-scope leaves no scope and --write-scope names one");
  if (replaces && items.length === 0)
    return conflict("--replace-write-scope needs --write-scope; no scope at all is --clear-write-scope");
  if (items.length === 0 && !clears) return done(null);
  return done({ mode: replaces || clears ? "replace" : "add", items });
}

function waitingOf(options: Options): Reply<ConfigureGoalRequest["waitingOn"]> {
  const value = WAITING_ON.find((word) => word === options.text("waiting-on"));
  const clears = options.flag("clear-waiting-on");
  if (value !== undefined && clears) return conflict("--waiting-on names somebody and --clear-waiting-on nobody");
  if (clears) return done({ kind: "clear" });
  return done(value === undefined ? null : { kind: "set", value });
}

function conflict(message: string): Reply<never> {
  return reject("option_conflict", message, { fix: "loopx configure-goal --help" });
}
