import type { App } from "../../../commands/app.ts";
import { loopxCommand } from "../../../core/command-line.ts";
import { done, reject } from "../../../core/result.ts";
import { pollPage } from "../../../core/show/markdown/poll.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";
import { followingOf } from "../todo-words.ts";

export const poll: Run = async (context, options) => {
  const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("poll", "--dry-run") });
  if (dryRun.kind !== "done") return dryRun;
  const app = await context.app();
  return shown(await app.poll(requestOf(options, dryRun.value)), pollPage);
};

/** The reference's name for recording what was seen of one monitor, and what follows from it. */
export const monitorPoll: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const fix = loopxCommand("quota", "monitor-poll", "--goal-id", goalId, "--todo-id", "…", "--result-hash", "…");
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const { text } = options;
  if (text("todo-id") === null && text("target-key") === null)
    return reject("option_missing", "Say which monitor: --todo-id or --target-key.", { fix });
  const app = await context.app();
  const reply = await app.poll({ ...requestOf(options, dryRun.value), goalId, next: followingOf(options) });
  if (reply.kind !== "done") return shown(reply, pollPage);
  const [monitor_target = null] = reply.value.polled;
  const appended = !dryRun.value && monitor_target !== null;
  return shown(done({ ...reply.value, goal_id: goalId, appended, monitor_target }), pollPage);
};

function requestOf(options: Options, dryRun: boolean): Parameters<App["poll"]>[0] {
  return {
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    targetKey: options.text("target-key"),
    resultHash: options.text("result-hash"),
    materialChange: options.flagOrNull("material-change"),
    dryRun,
  };
}
