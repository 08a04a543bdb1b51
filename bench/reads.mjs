// What a command about one goal reads: files opened and bytes read, as the kernel saw them, less what bare Node does.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { environment, NODE, PROGRAM, ROOT } from "./ground.mjs";
import { kib, whole } from "./numbers.mjs";
import { atMost, row } from "./report.mjs";
import { goalName } from "./tree.mjs";

/** @import { AdoptedTree, Ground } from "./ground.mjs" */
/** @import { Report, Row } from "./report.mjs" */

const STRACE = "strace";
const MOST_BYTES = 256 * 1024;
const MOST_FILES = 60;
const MOST_REGISTRY = 16 * 1024;
const CALLS = ["open", "openat", "openat2", "read", "pread64", "readv", "preadv", "preadv2", "execve"];

/** @typedef {{ readonly files: number, readonly bytes: number, readonly read: ReadonlyMap<string, number> }} Counted */

/** @returns {boolean} */
export function hasStrace() {
  return spawnSync(STRACE, ["-o", "/dev/null", "true"]).status === 0;
}

/**
 * @param {readonly string[]} argv
 * @param {{ readonly project: string, readonly home: string }} tree
 * @returns {Counted}
 */
function count(argv, { project, home }) {
  const folder = mkdtempSync(join(tmpdir(), "loopx-reads-"));
  try {
    const log = join(folder, "trace");
    const trace = `trace=${CALLS.map((name) => `?${name}`).join(",")}`;
    const run = spawnSync(STRACE, ["-f", "-y", "-s", "0", "-o", log, "-e", trace, "-e", "signal=none", "--", ...argv], {
      cwd: project,
      env: environment(home),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (run.status !== 0) throw new Error(`exit ${run.status}: ${argv.join(" ")}\n${run.stdout}${run.stderr}`);
    return countIn(readFileSync(log, "latin1"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OPENED = /^open(?:at2?)?\(.*\) = \d+<(\/.*)>$/;
const READ = /^p?readv?(?:64|2)?\(\d+<(\/[^>]*)>.*\) = (\d+)$/;

/** @param {string} log */
function countIn(log) {
  let files = 0;
  let bytes = 0;
  /** @type {Map<string, number>} */
  const read = new Map();
  for (const call of wholeCalls(log)) {
    if (OPENED.test(call)) files += 1;
    const [, path, found] = READ.exec(call) ?? [];
    if (path === undefined) continue;
    bytes += Number(found);
    read.set(path, (read.get(path) ?? 0) + Number(found));
  }
  return { files, bytes, read };
}

/**
 * The log's calls, with those that another thread interrupted put together again.
 * @param {string} log
 */
function* wholeCalls(log) {
  /** @type {Map<string, string>} */
  const begun = new Map();
  for (const line of log.split("\n")) {
    const [, thread = "", call = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.exec(call);
    if (call.endsWith(" <unfinished ...>")) begun.set(thread, call.slice(0, -" <unfinished ...>".length));
    else if (resumed === null) yield call;
    else yield (begun.get(thread) ?? "") + call.slice(resumed[0].length);
  }
}

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function reads(ground) {
  const title = "What a command about one goal reads";
  const how = `Files opened and bytes read, in all threads, less those of \`node -e 0\`: strace of one run each, after one that is not counted.`;
  if (!hasStrace()) return { title, how, rows: [row("strace is not there", "not measured")] };
  const rows = [];
  const notes = [];
  for (const size of [ground.small, ground.big]) {
    const tree = ground.tree(size);
    const bare = count([NODE, "-e", "0"], tree);
    for (const [name, args] of commands(tree)) {
      const argv = [NODE, PROGRAM, ...args];
      count(argv, tree);
      const found = count(argv, tree);
      rows.push(...rowsOf(`\`${name}\`, ${size.goals} × ${size.runs}`, { found, bare, tree }));
      if (size === ground.big) notes.push(`\`${name}\`: ${placesOf(found, bare, tree)}.`);
    }
  }
  return { title, how, rows, notes };
}

/**
 * @param {AdoptedTree} tree
 * @returns {readonly [string, readonly string[]][]}
 */
function commands(tree) {
  const first = goalName(0);
  return [
    ["status --goal-id g", ["status", "--goal-id", first]],
    ["history --goal-id g", ["history", "--goal-id", first]],
    ["drift --goal-id g", ["drift", "--goal-id", first]],
    ["refresh --goal-id g", ["refresh", "--goal-id", goalName(tree.goals - 1)]],
  ];
}

/**
 * @param {string} what
 * @param {{ readonly found: Counted, readonly bare: Counted, readonly tree: AdoptedTree }} counted
 * @returns {readonly Row[]}
 */
function rowsOf(what, { found, bare, tree }) {
  const registry = found.read.get(join(tree.project, ".loopx/registry.json")) ?? 0;
  return [
    atMost(`${what}: read`, found.bytes - bare.bytes, { most: MOST_BYTES, as: kib }),
    atMost(`${what}: opened`, found.files - bare.files, { most: MOST_FILES, as: (files) => `${whole(files)} files` }),
    atMost(`${what}: of the registry`, registry, { most: MOST_REGISTRY, as: kib }),
  ];
}

/**
 * @param {Counted} found
 * @param {Counted} bare
 * @param {AdoptedTree} tree
 */
function placesOf({ read }, bare, tree) {
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [path, bytes] of read) {
    const more = bytes - (bare.read.get(path) ?? 0);
    if (more <= 0) continue;
    const place = placeOf(path, tree);
    places.set(place, (places.get(place) ?? 0) + more);
  }
  const sorted = [...places].sort(([, a], [, b]) => b - a);
  return sorted.map(([place, bytes]) => `${place} ${kib(bytes)}`).join(", ");
}

/**
 * @param {string} path
 * @param {AdoptedTree} tree
 */
function placeOf(path, tree) {
  if (path.startsWith(join(ROOT, "node_modules"))) return "node_modules";
  if (path.startsWith(dirname(PROGRAM))) return "dist";
  if (/loopx\.db/.test(path)) return "store";
  if (path.startsWith(tree.runtime)) return "runtime root";
  if (path.startsWith(tree.project)) return "project";
  return "elsewhere";
}
