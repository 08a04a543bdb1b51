import type { Run } from "../command.ts";
import { plainMarkdown } from "../plain.ts";
import { shown } from "../shown.ts";

export const doctor: Run = async (context, options) => {
  const app = await context.app();
  return shown(await app.doctor({ fix: options.flag("fix"), dryRun: options.flag("dry-run") }), (answer) =>
    plainMarkdown("Doctor", answer),
  );
};
