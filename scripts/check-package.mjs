// `npm run package`: what people would install, packed, unpacked and looked at: nothing missing, nothing that should not
// ship, exports and types that resolve. Needs a build.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build, missingEntries } from "./build.mjs";
import { fail, npm, ROOT } from "./setup.mjs";

const SHIPPED =
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|visible-multi-agent-launcher|dist\/(loopx|serve)\.cjs|dist\/chunks\/[\w-]+\.cjs|dist\/third-party-licenses\.txt|dist\/lib\/.*\.(js|d\.ts))$/;
const MUST_SHIP = [
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "dist/loopx.cjs",
  "dist/serve.cjs",
  "visible-multi-agent-launcher",
  "dist/lib/index.js",
  "dist/lib/index.d.ts",
];

const missing = missingEntries();
if (missing.length > 0) fail(`Not written yet, so there is no package: ${missing.join(", ")}`);
await build({ library: true });

const folder = mkdtempSync(join(tmpdir(), "loopx-pack-"));
try {
  const [packed] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], "pipe"));
  const files = packed.files.map((/** @type {{ path: string }} */ file) => file.path);
  const problems = [
    ...files.filter((/** @type {string} */ file) => !SHIPPED.test(file)).map((/** @type {string} */ file) => `ships ${file}`),
    ...MUST_SHIP.filter((file) => !files.includes(file)).map((file) => `lacks ${file}`),
    ...(await lint(join(folder, packed.filename))),
    ...typesProblems(join(folder, packed.filename)),
  ];
  for (const problem of problems) console.error(`The package ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(
      `${packed.filename}: ${files.length} files, ${Math.round(packed.size / 1024)} KiB, ${Math.round(packed.unpackedSize / 1024)} KiB unpacked.`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} tarball */
async function lint(tarball) {
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  return messages.map((message) => `is faulty: ${formatMessage(message, manifest, { color: false })}`);
}

/** @param {string} tarball */
function typesProblems(tarball) {
  const attw = join(ROOT, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const run = spawnSync(process.execPath, [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"], {
    encoding: "utf8",
  });
  return run.status === 0 ? [] : [`has types that do not resolve:\n${run.stdout}${run.stderr}`];
}
