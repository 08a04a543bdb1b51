import { simPage } from "../../../core/show/markdown/sim.ts";
import { SIM_DEFAULTS } from "../../../core/sim/settings.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const sim: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.sim({
    seed: options.number("seed") ?? 1,
    agents: options.number("agents") ?? SIM_DEFAULTS.agents,
    hours: options.number("hours") ?? SIM_DEFAULTS.hours,
    todos: options.number("todos") ?? SIM_DEFAULTS.todos,
  });
  return shown(reply, simPage);
};
