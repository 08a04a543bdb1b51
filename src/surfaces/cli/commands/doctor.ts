import { doctorPage } from "../../../core/show/markdown/doctor.ts";
import type { Run } from "../command.ts";
import { shown } from "../shown.ts";

export const doctor: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.doctor({ fix: options.flag("fix"), dryRun: options.flag("dry-run") }), doctorPage);
};
