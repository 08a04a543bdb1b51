// `loopx serve` under load: requests a second, latency, events to listeners, memory.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { startChild } from "./child.mjs";
import { environment, NODE, PROGRAM } from "./ground.mjs";
import { ms, percentile, whole } from "./numbers.mjs";
import { productPath } from "./product.mjs";
import { atLeast, atMost, row } from "./report.mjs";
import { goalName } from "./tree.mjs";

/** @import { AdoptedTree, Ground } from "./ground.mjs" */
/** @import { Report, Row } from "./report.mjs" */

const TICKS = 100;
const MOST_MEMORY = 150;
const CONNECTIONS = 16;
const WRITES = 240;
const STARTS_WITHIN_MS = 300_000;

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function server(ground) {
  const tree = ground.tree(ground.big);
  const running = await startServer(tree);
  try {
    const { seconds, memory } = running.started;
    const answers = await answersUnderLoad(running, ground, tree);
    const paced = await pacedWithEvents(running, ground, tree);
    return {
      title: `\`loopx serve\` at ${tree.goals} goals`,
      how: `One server process; clients and the writer are other processes on the same machine, over loopback. Keep-alive, ${CONNECTIONS} connections, no pipelining, no compression. "On one core" is requests for each second of CPU of the server, all threads.`,
      rows: [
        row("from start to the first answer", ms(seconds)),
        ...answers,
        ...paced,
        atMost("resident under load, highest seen", running.memory.most(), {
          most: MOST_MEMORY,
          as: (mib) => `${mib.toFixed(0)} MB`,
        }),
        row("resident after start; highest ever", `${memory.toFixed(0)} MB; ${memoryOf(running.pid, "VmHWM").toFixed(0)} MB`),
      ],
    };
  } finally {
    await running.stop();
  }
}

/** @param {AdoptedTree} tree */
async function startServer(tree) {
  const port = await freePort();
  const began = process.hrtime.bigint();
  const child = spawn(NODE, [PROGRAM, "serve", "--port", String(port)], {
    cwd: tree.project,
    env: environment(tree.home),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  let gone = false;
  child.once("close", () => {
    gone = true;
  });
  const { pid } = child;
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) throw new Error("this bench needs /proc");
  const stop = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  try {
    while (!(await answers(port))) {
      if (gone) throw new Error("the server ended");
      if (Number(process.hrtime.bigint() - began) / 1e6 > STARTS_WITHIN_MS)
        throw new Error("the server does not begin to answer");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  return { port, pid, stop, started: { seconds, memory: memoryOf(pid, "VmRSS") }, memory: watchMemory(pid) };
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Running */

/** @param {number} port */
async function answers(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** @param {number} pid */
function watchMemory(pid) {
  let most = 0;
  const look = () => {
    most = Math.max(most, memoryOf(pid, "VmRSS"));
  };
  const timer = setInterval(look, 100);
  timer.unref();
  return {
    most: () => {
      look();
      clearInterval(timer);
      return most;
    },
  };
}

/**
 * In MB of 1,000,000 bytes.
 * @param {number} pid
 * @param {"VmRSS" | "VmHWM"} what
 */
function memoryOf(pid, what) {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(found?.[1]) * 1024) / 1e6;
}

/** @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/**
 * @param {Running} running
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 */
async function answersUnderLoad(running, ground, tree) {
  const head = await fetch(`http://127.0.0.1:${running.port}/status`);
  const bytes = (await head.arrayBuffer()).byteLength;
  const tag = head.headers.get("etag") ?? "";
  const loads = [
    { what: `\`GET /status\` (${whole(bytes)} bytes)`, headers: {}, status: "200", least: 5000 },
    { what: "`GET /status` with `If-None-Match`", headers: { "If-None-Match": tag }, status: "304", least: 15_000 },
  ];
  const rows = [];
  for (const load of loads) {
    const seconds = ground.quick ? 2 : 5;
    const request = { port: running.port, path: "/status", headers: load.headers, connections: CONNECTIONS, rate: null };
    await startChild("http-load.mjs", { ...request, seconds: 1 }, { cwd: tree.project, home: tree.home }).ended;
    const before = cpuOf(running.pid);
    const found = await startChild("http-load.mjs", { ...request, seconds }, { cwd: tree.project, home: tree.home }).ended;
    const cpu = cpuOf(running.pid) - before;
    if (found.statuses[load.status] !== found.requests) throw new Error(`answers: ${JSON.stringify(found.statuses)}`);
    const perCore = found.requests / cpu;
    const shown = `${whole(perCore)}/s (${whole(found.requests / found.seconds)}/s by the clock, the server having ${Math.round((100 * cpu) / found.seconds)} % of a core; p99 ${ms(percentile(found.latencies, 0.99) / 1000)})`;
    rows.push(atLeast(`${load.what}, on one core`, perCore, { least: load.least, as: (value) => `${whole(value)}/s`, shown }));
  }
  return rows;
}

/**
 * 100 requests a second, while another process records runs and a third listens.
 * @param {Running} running
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 */
async function pacedWithEvents(running, ground, tree) {
  const place = { cwd: tree.project, home: tree.home };
  const count = ground.quick ? 60 : WRITES;
  const every = 50;
  const request = { port: running.port, path: "/status", headers: {}, connections: 8, rate: 100 };
  const quiet = await startChild("http-load.mjs", { ...request, seconds: ground.quick ? 3 : 10 }, place).ended;
  const listener = startChild("event-listener.mjs", { port: running.port }, place);
  const goals = Array.from({ length: 20 }, (_, at) => goalName(tree.goals - 1 - at));
  const writer = startChild("writer.mjs", { product: await productPath(), project: tree.project, goals, count, every }, place);
  try {
    await Promise.all([listener.until("ready\n"), writer.until("ready\n")]);
    const load = startChild("http-load.mjs", { ...request, seconds: (count * every) / 1000 }, place);
    writer.finish();
    const [{ calls }, busy] = await Promise.all([writer.ended, load.ended]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    listener.finish();
    const { arrivals } = await listener.ended;
    return [
      latencyRow("100 requests/s", quiet),
      latencyRow(`100 requests/s while ${1000 / every} runs/s are recorded`, busy),
      ...eventRows(calls, arrivals),
    ];
  } finally {
    listener.kill();
    writer.kill();
  }
}

/**
 * @param {string} what
 * @param {{ readonly requests: number, readonly latencies: readonly number[] }} found
 * @returns {Row}
 */
function latencyRow(what, { requests, latencies }) {
  const p99 = percentile(latencies, 0.99);
  const shown = `p99 ${ms(p99 / 1000)} (p50 ${ms(percentile(latencies, 0.5) / 1000)}, longest ${ms(Math.max(...latencies) / 1000)}, ${requests} requests)`;
  return { what, value: shown, target: "p99 ≤ 10 ms", ok: p99 <= 10 };
}

/**
 * @param {readonly { readonly pos: string, readonly committed: number, readonly begun: number }[]} calls
 * @param {readonly [string, number][]} arrivals
 * @returns {readonly Row[]}
 */
function eventRows(calls, arrivals) {
  const arrived = new Map(arrivals);
  const seen = calls.filter(({ pos }) => arrived.has(pos));
  const sinceCommit = seen.map(({ pos, committed }) => ((arrived.get(pos) ?? 0) - committed) / 1e9);
  const sinceBegun = seen.map(({ pos, begun }) => ((arrived.get(pos) ?? 0) - begun) / 1e9);
  const p99 = percentile(sinceCommit, 0.99);
  const shown = `p99 ${ms(p99)} (p50 ${ms(percentile(sinceCommit, 0.5))}, longest ${ms(Math.max(...sinceCommit))}; ${seen.length} of ${calls.length} arrived)`;
  return [
    {
      what: "commit in another process to a listener on `/events`",
      value: shown,
      target: "p99 ≤ 50 ms, all arrive",
      ok: p99 <= 0.05 && seen.length === calls.length,
    },
    row(
      "the same, from the call of `refresh`",
      `p99 ${ms(percentile(sinceBegun, 0.99))}, p50 ${ms(percentile(sinceBegun, 0.5))}`,
    ),
  ];
}
