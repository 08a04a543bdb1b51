import type { LogsAnswer, LogsRequest } from "../../../commands/team-logs.ts";
import { done } from "../../../core/result.ts";
import { withoutHostile } from "../../../core/show/escape.ts";
import type { Context, Run } from "../command.ts";
import { jsonLine } from "../output.ts";
import { shown } from "../shown.ts";

const FOLLOW_MS = 250;

export const agentsLogs: Run = async (context, options) => {
  const request = { session: options.text("session"), agentId: options.text("agent-id"), after: null };
  const first = await (await context.app()).agentsLogs(request);
  if (first.kind !== "done" || !options.flag("follow")) return shown(first, linesOf);
  await follow(context, request, first.value);
  return done(null);
};

/** Until it is interrupted, or the team is over and all is shown. */
async function follow(context: Context, request: LogsRequest, first: LogsAnswer): Promise<void> {
  const { form, write, onSignal, every } = context.stage();
  const app = await context.app();
  const put = (answer: LogsAnswer): void => {
    if (answer.logs.length > 0) write(form === "json" ? jsonLine(answer) : withoutHostile(linesOf(answer)));
  };
  put(first);
  if (first.standing === "over") return;
  await new Promise<void>((resolve) => {
    let sizes = first.sizes;
    let busy = false;
    const ended = (): void => {
      stop();
      deaf();
      resolve();
    };
    const look = async (): Promise<void> => {
      busy = true;
      const next = await app.agentsLogs({ ...request, after: sizes });
      busy = false;
      if (next.kind !== "done") return ended();
      ({ sizes } = next.value);
      put(next.value);
      if (next.value.standing === "over") ended();
    };
    const stop = every(FOLLOW_MS, () => {
      if (!busy) void look();
    });
    const deaf = onSignal(ended);
  });
}

function linesOf({ logs }: LogsAnswer): string {
  return logs.flatMap(({ agent_id, lines }) => lines.map((line) => `${agent_id} ${line}\n`)).join("");
}
