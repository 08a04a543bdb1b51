import { teamPage } from "../../../core/show/markdown/team.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const agentsStatus: Run = async (context, options) => {
  const request = { session: options.text("session") };
  const round = async () => shown(await (await context.app()).agentsStatus(request), (team) => teamPage(team, context.now()));
  const seconds = options.number("watch");
  return seconds === null ? round() : context.watch(seconds, round);
};
