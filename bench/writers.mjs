// Eight processes that write to one goal on a slow disk: writes a second in all, how long each waits, who gets how many.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./child.mjs";
import { readAll } from "./ground.mjs";
import { ms, percentile } from "./numbers.mjs";
import { productPath } from "./product.mjs";
import { profiling, summary } from "./profile.mjs";
import { hasStrace } from "./reads.mjs";
import { atLeast, atMost, row } from "./report.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report } from "./report.mjs" */

const WRITERS = 8;
const SYNC_US = 3000;
const PROFILED = 300;

/**
 * @param {Ground} ground
 * @param {{ readonly profile: boolean }} options
 * @returns {Promise<Report>}
 */
export async function writers(ground, { profile }) {
  const title = `${WRITERS} processes that record runs of one goal`;
  const how = `Long-lived processes through the library, as fast as they can, strace adding ${SYNC_US / 1000} ms to every fsync and fdatasync.`;
  if (!hasStrace()) return { title, how, rows: [row("strace is not there", "not measured")] };
  const seconds = ground.quick ? 4 : 10;
  const slow = await race(ground, seconds, [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-o",
    "/dev/null",
    "-e",
    "trace=?fsync,?fdatasync",
    "-e",
    `inject=fsync,fdatasync:delay_exit=${SYNC_US}`,
    "--",
  ]);
  const plain = await race(ground, seconds, []);
  return {
    title,
    how,
    rows: [
      atLeast("writes a second, all together", slow.rate, { least: 100, as: (value) => value.toFixed(0) }),
      atMost("longest a writer waited for one", slow.longest, { most: 1, as: ms }),
      row("p50, p99 of one", `${ms(slow.p50)}, ${ms(slow.p99)}`),
      row("writes of each", slow.shares),
      row("CPU of one write", ms(slow.cpu)),
      row(
        "without added milliseconds: writes a second, longest, p99",
        `${plain.rate.toFixed(0)}, ${ms(plain.longest)}, ${ms(plain.p99)}`,
      ),
    ],
    notes: profile ? [await profiled(ground)] : [],
  };
}

/** @param {Ground} ground */
async function profiled(ground) {
  const samples = mkdtempSync(join(tmpdir(), "loopx-profile-"));
  const folder = ground.folder("writer");
  try {
    const tree = makeTree(join(folder, "tree"), { goals: 1, runs: 10 });
    const request = { product: await productPath(), project: tree.project, goals: [goalName(0)], count: PROFILED, every: 0 };
    const child = startChild("writer.mjs", request, { cwd: tree.project, home: tree.home, flags: profiling(samples) });
    await child.until("ready\n");
    child.finish();
    await child.ended;
    return summary(`one process that records ${PROFILED} runs`, samples);
  } finally {
    for (const each of [samples, folder]) rmSync(each, { recursive: true, force: true });
  }
}

/**
 * @param {Ground} ground
 * @param {number} seconds
 * @param {readonly string[]} under
 */
async function race(ground, seconds, under) {
  const folder = ground.folder("writers");
  const tree = makeTree(join(folder, "tree"), { goals: 1, runs: 10 });
  readAll(tree);
  const product = await productPath();
  const children = Array.from({ length: WRITERS }, () =>
    startChild(
      "writer.mjs",
      { product, project: tree.project, goals: [goalName(0)], seconds, every: 0 },
      { cwd: tree.project, home: tree.home, under },
    ),
  );
  await Promise.all(children.map((child) => child.until("ready\n")));
  for (const child of children) child.finish();
  /** @type {{ calls: { begun: number, done: number }[], cpu: number }[]} */
  const answers = await Promise.all(children.map((child) => child.ended));
  rmSync(folder, { recursive: true, force: true });
  const calls = answers.flatMap((answer) => answer.calls);
  const waits = calls.map(({ begun, done }) => (done - begun) / 1e9);
  const span = (Math.max(...calls.map(({ done }) => done)) - Math.min(...calls.map(({ begun }) => begun))) / 1e9;
  return {
    rate: calls.length / span,
    cpu: answers.reduce((sum, { cpu }) => sum + cpu, 0) / calls.length,
    longest: Math.max(...waits),
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    shares: answers
      .map((answer) => answer.calls.length)
      .sort((a, b) => a - b)
      .join(", "),
  };
}
