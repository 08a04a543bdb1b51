import { loopxCommand } from "../../../core/command-line.ts";
import { pollPage } from "../../../core/show/markdown/poll.ts";
import type { Run } from "../command.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

export const poll: Run = async (context, options) => {
  const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("poll", "--dry-run") });
  if (dryRun.kind !== "done") return dryRun;
  const app = await context.app();
  const reply = await app.poll({
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    targetKey: options.text("target-key"),
    resultHash: options.text("result-hash"),
    materialChange: options.flagOrNull("material-change"),
    dryRun: dryRun.value,
  });
  return shown(reply, pollPage);
};
