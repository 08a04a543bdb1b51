import { registryPage } from "../../../core/show/markdown/registry.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const registry: Run = async (context) => {
  const app = await context.app();
  return shown(await app.registry(), registryPage);
};
