// `npm run layers`: the rules of .dependency-cruiser.cjs, and the guard that every module was looked at. A checker that
// cannot read TypeScript says "no violations" over nothing. `node scripts/check-layers.mjs FOLDER` checks another tree.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, ROOT } from "./setup.mjs";

/**
 * A file that needs more than this to be understood does too much. Those that put a list or a whole together are the
 * exception.
 */
const MOST_IMPORTS = 12;
const PUT_TOGETHER = /(^src\/(compose|index)|\/(rules|table|store)|\.(test|sample))\.ts$/;

/** @typedef {{ readonly source: string, readonly dependencies: readonly { readonly dynamic: boolean, readonly dependencyTypes: readonly string[] }[] }} Module */
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

/** @type {readonly Module[]} */
const modules = answer.modules.filter((/** @type {Module} */ module) => /^src\/.*\.ts$/.test(module.source));
const crowded = modules.filter((module) => !PUT_TOGETHER.test(module.source) && importsOf(module) > MOST_IMPORTS);
for (const module of crowded)
  console.error(`too-many-imports: ${module.source} → ${importsOf(module)} (at most ${MOST_IMPORTS})`);

const cruised = modules.length;
const existing = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
).length;
if (cruised < existing) fail(`Only ${cruised} of ${existing} modules were looked at: the check is blind.`);
if (violations.length > 0) fail(`${violations.length} imports point the wrong way. The rules: .dependency-cruiser.cjs`);
if (crowded.length > 0) fail(`${crowded.length} files import too much.`);
console.log(`${cruised} modules keep the layers.`);

/** What it uses; the names of types are no part of that.
 * @param {Module} module */
function importsOf(module) {
  return module.dependencies.filter((dependency) => !dependency.dynamic && !dependency.dependencyTypes.includes("type-only"))
    .length;
}
