// `npm run build`: one CommonJS bundle per program in `dist/`, and the library for importers in `dist/lib`.
// Does nothing when the sources are those of the last build.

import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ROOT } from "./setup.mjs";

/** @typedef {{ readonly entry: string, readonly outfile: string }} Program */

const SERVER_ENTRY = "src/surfaces/http/main.ts";

/** @type {readonly Program[]} */
const PROGRAMS = [
  { entry: "src/surfaces/cli/main.ts", outfile: "dist/loopx.cjs" },
  { entry: SERVER_ENTRY, outfile: "dist/serve.cjs" },
  { entry: "src/surfaces/demo/main.ts", outfile: "dist/demo.cjs" },
];
const LIBRARY_ENTRY = "src/index.ts";
const LICENCES = "dist/third-party-licenses.txt";

/** Announced when they are absent, not refused; a package needs all of them. */
const ENTRIES = [...PROGRAMS.map((program) => program.entry), LIBRARY_ENTRY];

/** @returns {readonly string[]} */
export function missingEntries() {
  return ENTRIES.filter((entry) => !existsSync(join(ROOT, entry)));
}

/** @param {{ readonly library: boolean }} options */
export async function build(options) {
  const sources = fingerprint();
  const programs = PROGRAMS.filter((program) => isThere(program.entry));
  await unlessDone("programs", sources, [...programs.map((program) => program.outfile), LICENCES], () => bundle(programs));
  if (options.library && isThere(LIBRARY_ENTRY)) {
    await unlessDone("library", sources, ["dist/lib/index.js", "dist/lib/index.d.ts"], compileLibrary);
  }
}

/** @param {string} entry */
function isThere(entry) {
  if (existsSync(join(ROOT, entry))) return true;
  console.error(`Not built, because it is not written yet: ${entry}`);
  return false;
}

/** Digest of everything that decides what a build contains. */
function fingerprint() {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => !/\.(test|sample)\.ts$/.test(file) && /\.\w+$/.test(file))
    .map((file) => join("src", file));
  const settings = ["package.json", "package-lock.json", "tsconfig.base.json", "tsconfig.build.json", "scripts/build.mjs"];
  const hash = createHash("sha256");
  for (const file of [...sources.sort(), ...settings]) {
    hash.update(`${file}\0`);
    hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex");
}

/**
 * @param {string} name
 * @param {string} sources
 * @param {readonly string[]} outputs
 * @param {() => Promise<void> | void} work
 */
async function unlessDone(name, sources, outputs, work) {
  const stamp = join(ROOT, ".loopx-build", name);
  const done = existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
  if (done && outputs.every((output) => existsSync(join(ROOT, output)))) return;
  console.error(`Building the ${name} …`);
  await work();
  put(stamp, sources);
}

/** @param {readonly Program[]} programs */
async function bundle(programs) {
  const esbuild = await import("esbuild");
  /** @type {Set<string>} */
  const inputs = new Set();
  for (const program of programs) {
    const result = await esbuild
      .build({
        absWorkingDir: ROOT,
        entryPoints: [program.entry],
        outfile: program.outfile,
        bundle: true,
        format: "cjs",
        platform: "node",
        target: "node20.19",
        external: ["@photostructure/sqlite"],
        plugins: [serverApart(program)],
        minifyWhitespace: true,
        minifySyntax: true,
        lineLimit: 160,
        // "require" on demand: Node's loader of ECMAScript modules would cost a command several milliseconds.
        supported: { "dynamic-import": false },
        legalComments: "none",
        define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
        logOverride: { "empty-import-meta": "error" },
        logLevel: "warning",
        metafile: true,
        write: false,
      })
      .catch(() => fail(`${program.entry} cannot be bundled.`));
    const text = result.outputFiles[0]?.text ?? "";
    put(join(ROOT, program.outfile), text.startsWith("#!") ? text : `#!/usr/bin/env node\n${text}`, 0o755);
    for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
  }
  put(join(ROOT, LICENCES), licences(inputs));
}

/**
 * The server is a bundle of its own: another program that imports it gets `./serve.cjs` when it needs it, not its code.
 * @param {Program} program
 * @returns {import("esbuild").Plugin}
 */
function serverApart(program) {
  return {
    name: "server-apart",
    setup(esbuild) {
      if (program.entry === SERVER_ENTRY) return;
      esbuild.onResolve({ filter: /\/main\.ts$/ }, (found) => {
        const target = relative(ROOT, join(found.resolveDir, found.path));
        return target === SERVER_ENTRY && found.kind !== "entry-point" ? { path: "./serve.cjs", external: true } : undefined;
      });
    },
  };
}

/** Whole folder at once, so that a running program never meets half of it, and no file of an older build stays. */
function compileLibrary() {
  const fresh = join(ROOT, ".loopx-build", `lib-${randomUUID()}`);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", fresh], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
  });
  if (run.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    fail("The library does not compile.");
  }
  const place = join(ROOT, "dist/lib");
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(place)) renameSync(place, `${fresh}-old`);
  renameSync(fresh, place);
  rmSync(`${fresh}-old`, { recursive: true, force: true });
}

/**
 * The licence text of every package whose code went into a bundle.
 * @param {ReadonlySet<string>} inputs
 */
function licences(inputs) {
  const folders = new Set([...inputs].flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
    return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(ROOT, folder, file), "utf8")}`;
  });
  return texts.join(`\n${"-".repeat(80)}\n`);
}

/**
 * Replaces a file in one step.
 * @param {string} path
 * @param {string} text
 */
function put(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, text, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await build({ library: true });
