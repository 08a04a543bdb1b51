import type { StatusRequest } from "../../../commands/app.ts";
import { statusPage } from "../../../core/show/markdown/status.ts";
import { at } from "../at.ts";
import type { Run } from "../command.ts";
import { rowsOf, shown } from "../shown.ts";

export const status: Run = async (context, options) => {
  const request: StatusRequest = {
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
    all: options.flag("all"),
    fields: options.list("fields"),
    cacheTtlSeconds: options.number("status-projection-cache-ttl-seconds"),
    clearCache: options.flag("clear-cache"),
    ...at(options),
  };
  const round = async () =>
    shown(await (await context.app()).status(request), (answer) =>
      statusPage(answer, { now: context.now(), rows: rowsOf(options) }),
    );
  const seconds = options.number("watch");
  return seconds === null ? round() : context.watch(seconds, round);
};
