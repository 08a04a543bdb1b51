// `loopx serve` under load: requests a second, latency, events to listeners, memory.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "./child.mjs";
import { PROGRAM } from "./ground.mjs";
import { ms, percentile, whole } from "./numbers.mjs";
import { productPath } from "./product.mjs";
import { profiling, summary } from "./profile.mjs";
import { atLeast, atMost, row } from "./report.mjs";
import { cpuOf, memoryOf, startServer } from "./running-server.mjs";
import { goalName } from "./tree.mjs";

/** @import { AdoptedTree, Ground } from "./ground.mjs" */
/** @import { Report, Row } from "./report.mjs" */
/** @import { Running } from "./running-server.mjs" */

const MOST_MEMORY = 150;
const MOST_LATENCY_MS = 10;
const MOST_EVENT_MS = 50;
const CONNECTIONS = 16;
const RATE = 100;
const WRITES = 240;
const EVERY_MS = 50;
const BARE = fileURLToPath(new URL("bare-server.mjs", import.meta.url));

/**
 * @param {Ground} ground
 * @param {{ readonly profile: boolean }} options
 * @returns {Promise<Report>}
 */
export async function server(ground, { profile }) {
  const tree = ground.tree(ground.big);
  const running = await startServer(serving, { cwd: tree.project, home: tree.home });
  const rows = await measure(running, ground, tree).finally(running.stop);
  return {
    title: `\`loopx serve\` at ${whole(tree.goals)} goals`,
    how: `One server process; clients and the writer are other processes on the same machine, over loopback. Keep-alive, ${CONNECTIONS} connections, no pipelining, no compression. "On one core" is requests for each second of CPU of the server, all threads. "Bare" is \`node:http\` with a constant of the same size, right afterwards: what this machine gave at that time. Where the machine alone takes half of a time that is allowed, the time is not judged.`,
    rows,
    notes: profile ? [await profiled(ground, tree)] : [],
  };
}

/** @param {number} port */
function serving(port) {
  return [PROGRAM, "serve", "--port", String(port)];
}

/**
 * Another server, because one that is profiled is slower and holds its samples in memory.
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 */
async function profiled(ground, tree) {
  const folder = mkdtempSync(join(tmpdir(), "loopx-profile-"));
  try {
    const running = await startServer((port) => [...profiling(folder), ...serving(port)], { cwd: tree.project, home: tree.home });
    const { window } = await pacedWithEvents(running, ground, tree).finally(running.stop);
    return summary("the server while runs were recorded", folder, window);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Running} running
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 * @returns {Promise<readonly Row[]>}
 */
async function measure(running, ground, tree) {
  // A tag belongs to one encoding.
  const first = await fetch(`http://127.0.0.1:${running.port}/status`, { headers: { "Accept-Encoding": "identity" } });
  const bytes = (await first.arrayBuffer()).byteLength;
  const tag = first.headers.get("etag") ?? "";
  const whole200 = await asFastAsItCan(running, ground, { tree, headers: {} });
  const only304 = await asFastAsItCan(running, ground, { tree, headers: { "If-None-Match": tag } });
  const quiet = await paced(running, tree, ground.quick ? 3 : 10);
  const busy = await pacedWithEvents(running, ground, tree);
  const memory = running.memory.most();
  const bare = await bareLoads(ground, tree, bytes);
  const floor = percentile(bare.quiet.latencies, 0.99);
  return [
    row("from start to the first answer", `${ms(running.seconds)} (${ms(running.startCpu)} CPU)`),
    throughput(`\`GET /status\` (${whole(bytes)} bytes), on one core`, whole200, { status: "200", least: 5000 }),
    throughput("`GET /status` with `If-None-Match`, on one core", only304, { status: "304", least: 15_000 }),
    latency(`${RATE} requests/s`, quiet, { floor }),
    row(`${RATE} requests/s while ${1000 / EVERY_MS} runs/s are recorded`, latencies(busy.load)),
    row("the server's CPU for each of these runs, requests included", ms(busy.cpu / busy.calls.length)),
    ...eventRows(busy.calls, busy.arrivals, { floor }),
    atMost("resident under load, highest seen", memory, {
      most: MOST_MEMORY,
      as: (megabytes) => `${megabytes.toFixed(0)} MB`,
    }),
    row(
      "resident after start; highest ever",
      `${running.atStart.toFixed(0)} MB; ${memoryOf(running.pid, "VmHWM").toFixed(0)} MB`,
    ),
    row("bare: 200, on one core", throughput("", bare.whole200, { status: "200", least: 0 }).value),
    row("bare: 304, on one core", throughput("", bare.only304, { status: "304", least: 0 }).value),
    row(`bare: ${RATE} requests/s`, latencies(bare.quiet)),
  ];
}

/**
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 * @param {number} bytes
 */
async function bareLoads(ground, tree, bytes) {
  const place = { cwd: tree.project, home: tree.home };
  const running = await startServer((port) => [BARE, JSON.stringify({ port, bytes })], place);
  try {
    const whole200 = await asFastAsItCan(running, ground, { tree, headers: {} });
    const only304 = await asFastAsItCan(running, ground, { tree, headers: { "If-None-Match": '"bare"' } });
    return { whole200, only304, quiet: await paced(running, tree, ground.quick ? 3 : 10) };
  } finally {
    await running.stop();
  }
}

/** @typedef {{ readonly requests: number, readonly seconds: number, readonly statuses: Record<string, number>, readonly latencies: readonly number[] }} Load */

/**
 * @param {Running} running
 * @param {Ground} ground
 * @param {{ readonly tree: AdoptedTree, readonly headers: Record<string, string> }} options
 * @returns {Promise<Load & { readonly cpu: number }>}
 */
async function asFastAsItCan({ port, pid }, ground, { tree, headers }) {
  const place = { cwd: tree.project, home: tree.home };
  const request = { port, path: "/status", headers, connections: CONNECTIONS, rate: null };
  await startChild("http-load.mjs", { ...request, seconds: 1 }, place).ended;
  const before = cpuOf(pid);
  const found = await startChild("http-load.mjs", { ...request, seconds: ground.quick ? 2 : 5 }, place).ended;
  return { ...found, cpu: cpuOf(pid) - before };
}

/**
 * @param {string} what
 * @param {Load & { readonly cpu: number }} load
 * @param {{ readonly status: string, readonly least: number }} wanted
 */
function throughput(what, { requests, seconds, statuses, latencies, cpu }, { status, least }) {
  if (statuses[status] !== requests) throw new Error(`answers: ${JSON.stringify(statuses)}`);
  const rate = (/** @type {number} */ value) => `${whole(value)}/s`;
  const share = Math.round((100 * cpu) / seconds);
  const shown = `${rate(requests / cpu)} (${rate(requests / seconds)} by the clock with ${share} % of a core; p99 ${ms(percentile(latencies, 0.99) / 1000)})`;
  return atLeast(what, requests / cpu, { least, as: rate, shown });
}

/**
 * @param {Running} running
 * @param {AdoptedTree} tree
 * @param {number} seconds
 * @returns {Promise<Load>}
 */
async function paced({ port }, tree, seconds) {
  const request = { port, path: "/status", headers: {}, connections: 8, rate: RATE, seconds };
  return await startChild("http-load.mjs", request, { cwd: tree.project, home: tree.home }).ended;
}

/** @param {Load} found */
function latencies({ requests, latencies }) {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => ms(percentile(latencies, share) / 1000));
  return `p99 ${p99} (p50 ${p50}, longest ${longest}, ${requests} requests)`;
}

/**
 * @param {string} what
 * @param {Load} found
 * @param {{ readonly floor: number }} bare milliseconds: p99 of the bare server
 * @returns {Row}
 */
function latency(what, found, { floor }) {
  const isMet = percentile(found.latencies, 0.99) <= MOST_LATENCY_MS;
  return { what, value: latencies(found), target: `p99 ≤ ${MOST_LATENCY_MS} ms`, ok: judged(isMet, floor < MOST_LATENCY_MS / 2) };
}

/**
 * @param {boolean} isMet
 * @param {boolean} isQuiet
 */
function judged(isMet, isQuiet) {
  return isMet || isQuiet ? isMet : null;
}

/** @typedef {readonly { readonly pos: string, readonly committed: number, readonly begun: number }[]} Calls */

/**
 * Requests as above, while another process records runs and a third listens.
 * @param {Running} running
 * @param {Ground} ground
 * @param {AdoptedTree} tree
 */
async function pacedWithEvents(running, ground, tree) {
  const place = { cwd: tree.project, home: tree.home };
  const count = ground.quick ? 60 : WRITES;
  const goals = Array.from({ length: 20 }, (_, at) => goalName(tree.goals - 1 - at));
  const listener = startChild("event-listener.mjs", { port: running.port }, place);
  const request = { product: await productPath(), project: tree.project, goals, count, every: EVERY_MS };
  const writer = startChild("writer.mjs", request, place);
  try {
    await Promise.all([listener.until("ready\n"), writer.until("ready\n")]);
    const from = Number(process.hrtime.bigint() / 1000n);
    const before = cpuOf(running.pid);
    writer.finish();
    const [{ calls }, load] = await Promise.all([writer.ended, paced(running, tree, (count * EVERY_MS) / 1000)]);
    const window = { from, to: Number(process.hrtime.bigint() / 1000n) };
    await new Promise((resolve) => setTimeout(resolve, 1000));
    listener.finish();
    /** @type {{ arrivals: [string, number][] }} */
    const { arrivals } = await listener.ended;
    return { calls: /** @type {Calls} */ (calls), load, arrivals, window, cpu: cpuOf(running.pid) - before };
  } finally {
    listener.kill();
    writer.kill();
  }
}

/**
 * @param {Calls} calls
 * @param {readonly [string, number][]} arrivals
 * @param {{ readonly floor: number }} bare
 * @returns {readonly Row[]}
 */
function eventRows(calls, arrivals, { floor }) {
  const arrived = new Map(arrivals);
  const seen = calls.filter(({ pos }) => arrived.has(pos));
  const since = (/** @type {"committed" | "begun"} */ what) =>
    seen.map((call) => ((arrived.get(call.pos) ?? 0) - call[what]) / 1e9);
  const sinceCommit = since("committed");
  const p99 = percentile(sinceCommit, 0.99);
  const shown = `p99 ${ms(p99)} (p50 ${ms(percentile(sinceCommit, 0.5))}, longest ${ms(Math.max(...sinceCommit))}; ${seen.length} of ${calls.length} arrived)`;
  return [
    {
      what: "commit in another process to a listener on `/events`",
      value: shown,
      target: `p99 ≤ ${MOST_EVENT_MS} ms, all arrive`,
      ok: seen.length === calls.length && judged(p99 * 1000 <= MOST_EVENT_MS, floor < MOST_EVENT_MS / 2),
    },
    row(
      "the same, from the call of `refresh`",
      `p99 ${ms(percentile(since("begun"), 0.99))}, p50 ${ms(percentile(since("begun"), 0.5))}`,
    ),
  ];
}
