import { done } from "../../../core/result.ts";
import type { Run } from "../command.ts";

export const version: Run = async (context) => {
  const payload = { ok: true, version: context.version, machine: context.machine };
  return done({ payload, markdown: () => `loopx ${context.version} (${context.machine})\n` });
};
