// `npm run layers`: the rules of .dependency-cruiser.cjs, and the guard that every module was looked at. A checker that
// cannot read TypeScript says "no violations" over nothing. `node scripts/check-layers.mjs FOLDER` checks another tree.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, ROOT } from "./setup.mjs";

/** @typedef {{ readonly rule: { readonly name: string, readonly severity: string }, readonly from: string, readonly to: string }} Violation */

const root = resolve(process.argv[2] ?? ROOT);
const cruiser = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
const config = join(ROOT, ".dependency-cruiser.cjs");
const run = spawnSync(process.execPath, [cruiser, "src", "--config", config, "--output-type", "json"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 28,
  stdio: ["ignore", "pipe", 2],
});
if (run.stdout.trim() === "") fail(`dependency-cruiser gave no answer (exit ${run.status}).`);

const answer = JSON.parse(run.stdout);
/** @type {readonly Violation[]} */
const violations = answer.summary.violations;
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);

const cruised = answer.modules.filter((/** @type {{ source: string }} */ module) => /^src\/.*\.ts$/.test(module.source)).length;
const existing = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
).length;
if (cruised < existing) fail(`Only ${cruised} of ${existing} modules were looked at: the check is blind.`);
if (violations.length > 0) fail(`${violations.length} imports point the wrong way. The rules: .dependency-cruiser.cjs`);
console.log(`${cruised} modules keep the layers.`);
