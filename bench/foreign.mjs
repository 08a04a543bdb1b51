// Reading what another program wrote: the first time, again, and after one more row.

import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NODE, PROGRAM, readAll, timed } from "./ground.mjs";
import { median, ms, whole } from "./numbers.mjs";
import { profileOf } from "./profile.mjs";
import { atLeast, row } from "./report.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report } from "./report.mjs" */

/**
 * @param {Ground} ground
 * @param {{ readonly profile: boolean }} options
 * @returns {Promise<Report>}
 */
export async function foreign(ground, { profile }) {
  const many = ground.tree(ground.big);
  const folder = ground.folder("long");
  const tree = makeTree(join(folder, "tree"), { goals: 1, runs: ground.quick ? 20_000 : 200_000 });
  const first = readAll(tree);
  const index = join(tree.runtime, "goals", goalName(0), "runs/index.jsonl");
  const last = readFileSync(index, "utf8").trimEnd().split("\n").at(-1) ?? "";
  const again = [];
  const appended = [];
  const status = [NODE, PROGRAM, "status", "--goal-id", goalName(0)];
  for (let round = 0; round < 5; round += 1) {
    appendFileSync(index, `${last.replace(/"2026-10-01T12:00:00/, `"2026-10-0${round + 2}T12:00:00`)}\n`);
    appended.push(timed(status, { cwd: tree.project, home: tree.home, times: 1 })[0].cpu);
    again.push(timed(status, { cwd: tree.project, home: tree.home, times: 1 })[0].cpu);
  }
  const all = readAll(many);
  rmSync(folder, { recursive: true, force: true });
  const rate = (/** @type {number} */ value) => `${whole(value)} rows/s`;
  const shown = (
    /** @type {{ rows: number, bytes: number }} */ { rows, bytes },
    /** @type {{ seconds: number, cpu: number }} */ { seconds, cpu },
  ) =>
    `${rate(rows / seconds)} (${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s; ${rate(rows / cpu)} of CPU)`;
  return {
    title: "Reading what another program wrote",
    how: `Whole processes, \`loopx status --all --json\`, from start to end; rows of ${whole(tree.bytes / tree.rows)} bytes; files in the page cache.`,
    rows: [
      atLeast(`first reading, ${many.goals} goals × ${many.runs}`, many.rows / many.adopted.seconds, {
        least: 20_000,
        as: rate,
        shown: shown(many, many.adopted),
      }),
      atLeast(`first reading, one goal × ${tree.runs}`, tree.rows / first.seconds, {
        least: 20_000,
        as: rate,
        shown: shown(tree, first),
      }),
      row(`second reading, ${many.goals} goals × ${many.runs}`, `${ms(all.cpu)} CPU, ${ms(all.cpu / many.goals)} a goal`),
      row(`\`status --goal-id g\`, one goal × ${tree.runs}, nothing new`, `${ms(median(again))} CPU`),
      row("the same after another program appended a row", `${ms(median(appended))} CPU`),
    ],
    notes: profile ? profiles(ground) : [],
  };
}

/** @param {Ground} ground */
function profiles(ground) {
  const folder = ground.folder("profiled");
  const tree = makeTree(join(folder, "tree"), { goals: 1000, runs: 100 });
  const all = [PROGRAM, "status", "--all", "--json"];
  const notes = [
    profileOf("first reading, 1000 goals × 100", all, tree, 1),
    profileOf("second reading of the same", all, tree, 1),
  ];
  rmSync(folder, { recursive: true, force: true });
  return notes;
}
