// Where the time of a command goes: CPU profiles of many runs, added up by function.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { NODE, runOnce } from "./ground.mjs";

const RUNS = 20;
const SHOWN = 15;
const INTERVAL_US = 100;

/** @typedef {{ readonly id: number, readonly callFrame: { readonly functionName: string, readonly url: string, readonly lineNumber: number }, readonly children?: readonly number[] }} ProfileNode */

/**
 * One line of Markdown. Sampling makes a run slower, so shares count, not milliseconds.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ readonly project: string, readonly home: string }} tree
 */
export function profileOf(name, args, { project, home }) {
  const folder = mkdtempSync(join(tmpdir(), "loopx-profile-"));
  try {
    const flags = ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
    for (let run = 0; run < RUNS; run += 1) runOnce([NODE, ...flags, ...args], { cwd: project, home });
    const files = readdirSync(folder).map((file) => join(folder, file));
    /** @type {Map<string, number>} */
    const self = new Map();
    let total = 0;
    for (const file of files) {
      const profile = JSON.parse(readFileSync(file, "utf8"));
      const places = new Map(profile.nodes.map((/** @type {ProfileNode} */ node) => [node.id, placeOf(node)]));
      for (const [at, id] of profile.samples.entries()) {
        const place = places.get(id);
        const spent = profile.timeDeltas[at];
        if (place === "(idle)" || place === "(program)") continue;
        self.set(place, (self.get(place) ?? 0) + spent);
        total += spent;
      }
    }
    const first = [...self].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    const shares = first.map(([place, spent]) => `${place} ${(spent / 1000 / files.length).toFixed(2)} ms`);
    return `profile of \`${name}\`, self time of ${(total / 1000 / files.length).toFixed(1)} ms in JavaScript, mean of ${files.length} runs: ${shares.join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {ProfileNode} node */
function placeOf({ callFrame: { functionName, url } }) {
  const name = functionName === "" ? "(top level)" : functionName;
  return url === "" ? name : `${name} [${url.startsWith("node:") ? url : basename(url)}]`;
}
