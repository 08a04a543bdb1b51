// Where time goes: CPU profiles of one or many runs, added up by function.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { NODE, runOnce } from "./ground.mjs";

const RUNS = 20;
const SHOWN = 20;
const INTERVAL_US = 100;
const NOT_WORK = new Set(["(idle)", "(program)", "(root)"]);

/**
 * @typedef {{ readonly id: number, readonly callFrame: { readonly functionName: string, readonly url: string }, readonly children?: readonly number[] }} ProfileNode
 * @typedef {{ readonly nodes: readonly ProfileNode[], readonly samples: readonly number[], readonly timeDeltas: readonly number[], readonly startTime: number }} Profile
 */

/**
 * Profiles of `runs` runs of one command, as one line of Markdown. Sampling makes a run slower: shares count, not milliseconds.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ readonly project: string, readonly home: string }} tree
 * @param {number} [runs]
 */
export function profileOf(name, args, { project, home }, runs = RUNS) {
  return inFolder((folder) => {
    for (let run = 0; run < runs; run += 1) runOnce([NODE, ...profiling(folder), ...args], { cwd: project, home });
    return summary(`\`${name}\``, folder);
  });
}

/** @param {string} folder */
export function profiling(folder) {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
}

/**
 * @template T
 * @param {(folder: string) => T} work
 */
export function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "loopx-profile-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} name
 * @param {string} folder
 * @param {{ readonly from: number, readonly to: number }} [window] microseconds of the machine's monotonic clock
 */
export function summary(name, folder, window = { from: 0, to: Number.POSITIVE_INFINITY }) {
  const profiles = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const [self, inclusive] = [new Map(), new Map()];
  for (const profile of profiles) addUp(profile, window, { self, inclusive });
  const total = [...self.values()].reduce((sum, spent) => sum + spent, 0);
  const shares = (/** @type {Map<string, number>} */ map) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([place, spent]) => `${place} ${(spent / 1000 / profiles.length).toFixed(1)}`)
      .join(", ");
  const mean = (total / 1000 / profiles.length).toFixed(1);
  return `Profile of ${name}, ${mean} ms busy (mean of ${profiles.length}). Itself, ms: ${shares(self)}. With what it calls, ms: ${shares(inclusive)}`;
}

/**
 * @param {Profile} profile
 * @param {{ readonly from: number, readonly to: number }} window
 * @param {{ readonly self: Map<string, number>, readonly inclusive: Map<string, number> }} into
 */
function addUp(profile, { from, to }, { self, inclusive }) {
  const spent = spentByNode(profile, from, to);
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const places = new Map(profile.nodes.map((node) => [node.id, placeOf(node)]));
  const roots = profile.nodes.filter(({ callFrame }) => callFrame.functionName === "(root)");
  const add = (/** @type {Map<string, number>} */ map, /** @type {string} */ place, /** @type {number} */ time) =>
    map.set(place, (map.get(place) ?? 0) + time);
  /** @type {(node: ProfileNode, above: ReadonlySet<string>) => number} */
  const visit = (node, above) => {
    const place = places.get(node.id) ?? "";
    if (place === "(idle)" || place === "(program)") return 0;
    const own = spent.get(node.id) ?? 0;
    const inside = new Set(above).add(place);
    const all = (node.children ?? []).reduce((sum, id) => {
      const child = byId.get(id);
      return child === undefined ? sum : sum + visit(child, inside);
    }, own);
    if (!NOT_WORK.has(place)) {
      add(self, place, own);
      if (!above.has(place)) add(inclusive, place, all);
    }
    return all;
  };
  for (const root of roots) visit(root, new Set());
}

/**
 * @param {Profile} profile
 * @param {number} from
 * @param {number} to
 */
function spentByNode({ samples, timeDeltas, startTime }, from, to) {
  /** @type {Map<number, number>} */
  const spent = new Map();
  let at = startTime;
  for (const [place, id] of samples.entries()) {
    const delta = timeDeltas[place] ?? 0;
    at += delta;
    if (at >= from && at <= to) spent.set(id, (spent.get(id) ?? 0) + delta);
  }
  return spent;
}

/** @param {ProfileNode} node */
function placeOf({ callFrame: { functionName, url } }) {
  const name = functionName === "" ? "(top level)" : functionName;
  return url === "" ? name : `${name} [${url.startsWith("node:") ? url : basename(url).replace(/-[\w-]{8}\.cjs$/, "")}]`;
}
