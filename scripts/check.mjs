// `npm run check`: everything that must be green before a change is done, cheap to dear, so that the first red comes within
// seconds. Stops at the first red. People and CI run the same command.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, ROOT } from "./setup.mjs";

const MODULES = join(ROOT, "node_modules");
const TSC = join(MODULES, "typescript/bin/tsc");

/** @type {readonly (readonly [name: string, args: readonly string[]])[]} */
const STEPS = [
  ["types: the core alone", [TSC, "-p", "tsconfig.core.json"]],
  ["lint and format", [join(MODULES, "@biomejs/biome/bin/biome"), "check", "--error-on-warnings"]],
  ["types: scripts", [TSC, "-p", "tsconfig.scripts.json"]],
  ["types: everything", [TSC, "-p", "tsconfig.json"]],
  ["layers", ["scripts/check-layers.mjs"]],
  ["dead code", [join(MODULES, "knip/bin/knip.js"), "--treat-config-hints-as-errors"]],
  ["build", ["scripts/build.mjs"]],
  ["package", ["scripts/check-package.mjs"]],
  ["tests", ["scripts/test.mjs"]],
];

ensureInstalled();
for (const [name, args] of STEPS) {
  const started = performance.now();
  console.log(`── ${name}`);
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) {
    console.error(`── ${name}: failed`);
    process.exit(1);
  }
  if (name !== "tests") console.log(`   ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
