// What every bench stands on: the program, the environment of its processes, a folder that goes away, trees made once.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTree } from "./tree.mjs";

/** @import { Size, Tree } from "./tree.mjs" */

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Another build can be measured, for example one that stays while sources change. */
export const PROGRAM = resolve(process.env["LOOPX_BENCH_PROGRAM"] ?? join(ROOT, "dist/loopx.cjs"));
export const NODE = process.execPath;

const TREE_FILE = "tree.json";

/** @typedef {Tree & { readonly adopted: { readonly seconds: number, readonly cpu: number, readonly program: string } }} AdoptedTree */

/**
 * Nothing of the caller's surroundings that changes what a start costs: on Node 20, NODE_EXTRA_CA_CERTS alone doubles it.
 * @param {string} home
 * @returns {Record<string, string>}
 */
export function environment(home) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|LOOPX_)/i.test(name));
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ""])), HOME: home, LC_ALL: "C" };
}

/**
 * Runs one process to its end and refuses a failure.
 * @param {readonly string[]} argv
 * @param {{ readonly cwd: string, readonly home: string }} place
 */
export function runOnce(argv, { cwd, home }) {
  const [program = "", ...args] = argv;
  const began = process.hrtime.bigint();
  const run = spawnSync(program, args, { cwd, env: environment(home), encoding: "utf8", maxBuffer: 1 << 30 });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  if (run.error !== undefined) throw run.error;
  if (run.status !== 0)
    throw new Error(`exit ${run.status}: ${argv.join(" ")}\n${run.stdout.slice(0, 2000)}${run.stderr.slice(0, 2000)}`);
  return { seconds, stdout: run.stdout, stderr: run.stderr };
}

export class Ground {
  /** @type {Map<string, AdoptedTree>} */
  #trees = new Map();
  #folder;
  #keeps;

  /** @param {{ readonly trees: string | null, readonly quick: boolean }} options */
  constructor({ trees, quick }) {
    if (trees !== null) mkdirSync(trees, { recursive: true });
    this.#folder = realpathSync(trees ?? mkdtempSync(join(tmpdir(), "loopx-bench-")));
    this.#keeps = trees !== null;
    this.quick = quick;
    this.small = { goals: 1, runs: 10 };
    this.big = quick ? { goals: 500, runs: 20 } : { goals: 10_000, runs: 100 };
  }

  /** @param {string} name */
  folder(name) {
    const folder = join(this.#folder, `${name}-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /**
   * The tree of that size, read once by `status --all`. `use` separates trees of one size that must not disturb each other.
   * @param {Size} size
   * @param {string} use
   * @returns {AdoptedTree}
   */
  tree(size, use = "r") {
    const name = `${use}${size.goals}x${size.runs}`;
    const adopted = this.#trees.get(name) ?? this.#keptTree(name) ?? adopt(this.#newTree(name, size));
    this.#trees.set(name, adopted);
    return adopted;
  }

  /**
   * @param {string} name
   * @param {Size} size
   */
  #newTree(name, size) {
    const folder = join(this.#folder, name);
    rmSync(folder, { recursive: true, force: true });
    console.error(`Writing ${size.goals} goals with ${size.runs} runs each …`);
    return makeTree(folder, size);
  }

  /**
   * One that another build has read is read afresh.
   * @param {string} name
   */
  #keptTree(name) {
    const path = join(this.#folder, name, TREE_FILE);
    if (!existsSync(path)) return null;
    /** @type {AdoptedTree} */
    const tree = JSON.parse(readFileSync(path, "utf8"));
    return tree.adopted.program === programDigest() ? tree : adopt(tree);
  }

  end() {
    if (!this.#keeps) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The first reading: with no store.
 * @param {Tree} tree
 * @returns {AdoptedTree}
 */
function adopt(tree) {
  for (const file of ["loopx.db", "loopx.db-wal", "loopx.db-shm"]) rmSync(join(tree.runtime, file), { force: true });
  console.error("Reading it for the first time …");
  const adopted = { ...tree, adopted: { ...readAll(tree), program: programDigest() } };
  writeFileSync(join(tree.folder, TREE_FILE), JSON.stringify(adopted));
  return adopted;
}

function programDigest() {
  const folder = dirname(PROGRAM);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".cjs"));
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}

/**
 * @param {Tree} tree
 * @returns {{ readonly seconds: number, readonly cpu: number }}
 */
export function readAll(tree) {
  const [run] = timed([NODE, PROGRAM, "status", "--all", "--json"], { cwd: tree.project, home: tree.home, times: 1 });
  return run;
}

/**
 * `times` runs of a command one after another, timed together by bash, which every Unix has: wall time and CPU (user +
 * system, of all threads) of one, in seconds. bash prints milliseconds; a batch divides that by the number of runs.
 * `{i}` in an argument is the number of the run, from 0.
 * @param {readonly string[]} argv
 * @param {{ readonly cwd: string, readonly home: string, readonly times: number }} options
 * @returns {[{ readonly seconds: number, readonly cpu: number }]}
 */
export function timed(argv, { cwd, home, times }) {
  const script = `TIMEFORMAT='%3R %3U %3S'; n=$1; shift
time for ((i = 0; i < n; i++)); do "\${@//\\{i\\}/$i}" >/dev/null 2>&1 || exit 1; done`;
  const run = spawnSync("bash", ["--norc", "-c", script, "bash", String(times), ...argv], {
    cwd,
    env: environment(home),
    encoding: "utf8",
  });
  if (run.error !== undefined) throw run.error;
  const numbers = run.stderr.trim().split(/\s+/).map(Number);
  if (run.status !== 0 || numbers.length !== 3 || numbers.some(Number.isNaN)) {
    runOnce(
      argv.map((each) => each.replaceAll("{i}", "0")),
      { cwd, home },
    );
    throw new Error(`no time for ${argv.join(" ")}: ${run.stderr}`);
  }
  const [wall = 0, user = 0, system = 0] = numbers;
  return [{ seconds: wall / times, cpu: (user + system) / times }];
}
