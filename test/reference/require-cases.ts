import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";

/** A suite without its cases would pass over nothing. */
export function setup(project: TestProject): void {
  const folder = project.config.env["LOOPX_REFERENCE_CASES"] ?? "";
  if (!existsSync(folder)) throw new Error(`There are no recorded cases in ${folder}: put them there, or leave out this suite.`);
}
