import { loopxCommand } from "../../../core/command-line.ts";
import { done } from "../../../core/result.ts";
import { goalLifecyclePayload } from "../../../core/show/goal-lifecycle.ts";
import { activationPage } from "../../../core/show/markdown/edit.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";

/** `goal stop` and `goal resume`, as a preview unless told to write. */
export const goalLifecycle: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const operation = options.text("operation") === "resume" ? "resume" : "stop";
  const fix = loopxCommand("goal-lifecycle", "--goal-id", goalId, "--operation", operation);
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const asked = { goalId, reason: options.text("reason"), dryRun: dryRun.value };
  const app = await context.app();
  const reply = operation === "resume" ? await app.goalResume(asked) : await app.goalStop(asked);
  if (reply.kind !== "done") return reply;
  const answer = reply.value;
  return done({ payload: goalLifecyclePayload(answer), markdown: () => activationPage(answer, "execute") });
};
