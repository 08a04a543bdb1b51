import type { TeamStopped } from "../../../commands/team-session.ts";
import { counted } from "../../../core/show/markdown/table.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const agentsStop: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.agentsStop({ session: options.text("session"), now: options.flag("now") }), wordsOf);
};

function wordsOf({ how, now, swept }: TeamStopped): string {
  switch (how) {
    case "told":
    case "signalled":
      return now ? "The team stops now." : "The team finishes its turns, then stops.";
    case "swept":
      return `Its supervisor was dead; ${counted(swept, "process", "processes")} that it left running ${swept === 1 ? "was" : "were"} ended.`;
    case "not_running":
      return "The team is not running.";
  }
}
