// `npm run build`: one CommonJS bundle per program in `dist/`, and the library for importers in `dist/lib`.
// Does nothing when the sources are those of the last build.

import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { chunkNames } from "./chunks.mjs";
import { fail, ROOT } from "./setup.mjs";

/** @typedef {{ readonly entry: string, readonly outfile: string }} Program */

const SERVER_ENTRY = "src/surfaces/http/main.ts";

/** @type {readonly Program[]} */
const PROGRAMS = [
  { entry: "src/surfaces/cli/main.ts", outfile: "dist/loopx.cjs" },
  { entry: SERVER_ENTRY, outfile: "dist/serve.cjs" },
  { entry: "src/surfaces/demo/main.ts", outfile: "dist/demo.cjs" },
];
const KEPT_MS = 10 * 60 * 1000;
const KEPT_NAMES = { function: true, class: true };
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
  const settings = [
    "package.json",
    "package-lock.json",
    "tsconfig.base.json",
    "tsconfig.build.json",
    "scripts/build.mjs",
    "scripts/chunks.mjs",
  ];
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

/**
 * All programs at once: what is imported on demand, or by several of them, becomes a chunk of its own, so that a command
 * loads little more than it runs. CommonJS, because Node's loader of ECMAScript modules would cost a command several
 * milliseconds.
 * @param {readonly Program[]} programs
 */
async function bundle(programs) {
  const { rolldown } = await import("rolldown");
  const fresh = join(ROOT, ".loopx-build", `dist-${randomUUID()}`);
  const input = Object.fromEntries(programs.map(({ entry, outfile }) => [basename(outfile, ".cjs"), join(ROOT, entry)]));
  const chunks = chunkNames();
  const bundled = await rolldown({
    cwd: ROOT,
    input,
    plugins: [chunks.plugin],
    preserveEntrySignatures: "allow-extension",
    platform: "node",
    external: ["@photostructure/sqlite"],
    transform: { target: "node20.19", define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" } },
    onLog: (level, log) => {
      // One importer on demand and another at once is no fault: the module is then loaded with the second.
      if (level === "warn" && log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") fail(`The programs cannot be bundled: ${log.message}`);
    },
  }).catch((error) => fail(`The programs cannot be bundled: ${error.message}`));
  const { output } = await bundled.write({
    dir: fresh,
    format: "cjs",
    exports: "named",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
    comments: { legal: false },
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunks.nameOf, debugName: "by commands" }] },
    // Names of functions stay, so that the report of a bug can be read.
    minify: { compress: { keepNames: KEPT_NAMES }, mangle: { keepNames: KEPT_NAMES }, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds.map((id) => relative(ROOT, id)) : []));
  publish(
    fresh,
    output.map((file) => file.fileName),
  );
  put(join(ROOT, LICENCES), licences(new Set(modules)));
}

/**
 * Chunks first, programs last. Chunks of the last build stay for a while: a program that runs meanwhile loads its own.
 * @param {string} fresh
 * @param {readonly string[]} files
 */
function publish(fresh, files) {
  const chunks = join(ROOT, "dist/chunks");
  mkdirSync(chunks, { recursive: true });
  const old = readdirSync(chunks);
  for (const file of [...files].sort((a, b) => b.split("/").length - a.split("/").length)) {
    const path = join(fresh, file);
    if (!file.includes("/")) chmodSync(path, 0o755);
    renameSync(path, join(ROOT, "dist", file));
  }
  const kept = new Set(files.map((file) => basename(file)));
  for (const name of old) {
    if (!kept.has(name) && statSync(join(chunks, name)).mtimeMs < Date.now() - KEPT_MS)
      rmSync(join(chunks, name), { force: true });
  }
  rmSync(fresh, { recursive: true, force: true });
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
