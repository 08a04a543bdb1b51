// Eight processes that write on a slow disk, runs or claims and their ends: how many a second in all, how long each waits, who gets how many.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./child.mjs";
import { readAll } from "./ground.mjs";
import { ms, percentile, times } from "./numbers.mjs";
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
const PAIR_GOALS = 8;
/** More than are claimed in a run, so that none is ever missing, and slots for all. */
const PAIR_TODOS = 40;
const SLOTS = 100_000;

const SLOW_DISK = [
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
];

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
  const slow = await race(ground, { seconds, under: SLOW_DISK });
  const plain = await race(ground, { seconds, under: [] });
  return {
    title,
    how,
    rows: [
      atLeast("writes a second, all together", slow.rate, { least: 100, as: (value) => value.toFixed(0) }),
      atMost("longest a writer waited for one", slow.longest, { most: 1, as: ms }),
      row("p50, p99 of one", `${ms(slow.p50)}, ${ms(slow.p99)}`),
      row("writes of each", slow.shares.join(", ")),
      row("CPU of one write", ms(slow.cpu)),
      row(
        "without added milliseconds: writes a second, longest, p99",
        `${plain.rate.toFixed(0)}, ${ms(plain.longest)}, ${ms(plain.p99)}`,
      ),
    ],
    notes: profile ? [await profiled(ground)] : [],
  };
}

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function pairs(ground) {
  const title = `${WRITERS} processes that claim todos and finish them`;
  const how = `As above; one pair is a claim and its \`done\`, which names the next todo. Each process goes from goal to goal.`;
  if (!hasStrace()) return { title, how, rows: [row("strace is not there", "not measured")] };
  const seconds = ground.quick ? 4 : 10;
  const work = { seconds, act: "pair", todos: PAIR_TODOS, slots: SLOTS };
  const many = await race(ground, { ...work, goals: PAIR_GOALS, under: SLOW_DISK });
  const one = await race(ground, { ...work, under: SLOW_DISK });
  const plain = await race(ground, { ...work, goals: PAIR_GOALS, under: [] });
  const [least = 0] = many.shares;
  const shares = { most: 2, as: times, shown: `${times((many.shares.at(-1) ?? 0) / least)} (${many.shares.join(", ")})` };
  const all = (/** @type {typeof many} */ { rate, longest, p99 }) => `${rate.toFixed(0)}, ${ms(longest)}, ${ms(p99)}`;
  return {
    title,
    how,
    rows: [
      atLeast(`pairs a second over ${PAIR_GOALS} goals, all together`, many.rate, {
        least: 100,
        as: (value) => value.toFixed(0),
      }),
      atMost("the most of one against the least", (many.shares.at(-1) ?? 0) / least, shares),
      atMost("longest that one waited for a pair", many.longest, { most: 1, as: ms }),
      row("p50, p99 of a pair", `${ms(many.p50)}, ${ms(many.p99)}`),
      row("CPU of a pair", ms(many.cpu)),
      row("all on one goal: pairs a second, longest, p99", all(one)),
      row("without added milliseconds: pairs a second, longest, p99", all(plain)),
    ],
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
 * @param {{ readonly seconds: number, readonly under: readonly string[], readonly act?: string, readonly goals?: number,
 *   readonly todos?: number, readonly slots?: number }} wanted
 */
async function race(ground, { seconds, under, act = "run", goals = 1, ...size }) {
  const folder = ground.folder("writers");
  const tree = makeTree(join(folder, "tree"), { goals, runs: 10, ...size });
  readAll(tree);
  const names = Array.from({ length: goals }, (_, at) => goalName(at));
  const product = await productPath();
  const children = Array.from({ length: WRITERS }, (_, at) =>
    startChild(
      "writer.mjs",
      { product, project: tree.project, goals: [...names.slice(at), ...names.slice(0, at)], act, seconds, every: 0 },
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
    shares: answers.map((answer) => answer.calls.length).sort((a, b) => a - b),
  };
}
