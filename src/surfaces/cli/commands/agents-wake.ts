import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const agentsWake: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.agentsWake({ session: options.text("session"), agentId: options.text("agent-id") });
  return shown(reply, ({ agent_id }) => `${agent_id ?? "Every agent"} goes on.`);
};
