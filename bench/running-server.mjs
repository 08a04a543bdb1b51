// A server process on loopback: started, watched through /proc, stopped.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { environment, NODE } from "./ground.mjs";

const TICKS = 100;
const STARTS_WITHIN_MS = 300_000;

/**
 * @param {(port: number) => readonly string[]} argsAt what Node is given to listen at that port
 * @param {{ readonly cwd: string, readonly home: string }} place
 */
export async function startServer(argsAt, { cwd, home }) {
  const port = await freePort();
  const began = process.hrtime.bigint();
  const child = spawn(NODE, argsAt(port), { cwd, env: environment(home), stdio: ["ignore", "ignore", "inherit"] });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const { pid } = child;
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) throw new Error("this bench needs /proc");
  const stop = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  try {
    await untilAnswered(port, () => child.exitCode !== null || child.signalCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  return { port, pid, stop, seconds, startCpu: cpuOf(pid), atStart: memoryOf(pid, "VmRSS"), memory: watchMemory(pid) };
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Running */

/**
 * @param {number} port
 * @param {() => boolean} hasEnded
 */
async function untilAnswered(port, hasEnded) {
  const until = Date.now() + STARTS_WITHIN_MS;
  while (!(await answers(port))) {
    if (hasEnded()) throw new Error("the server ended");
    if (Date.now() > until) throw new Error("the server does not begin to answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

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
    if (existsSync(`/proc/${pid}/status`)) most = Math.max(most, memoryOf(pid, "VmRSS"));
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
 * @param {"VmRSS" | "VmHWM" | "RssAnon"} what
 */
export function memoryOf(pid, what) {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(found?.[1]) * 1024) / 1e6;
}

/**
 * Seconds of CPU, user and system, all threads, in hundredths.
 * @param {number} pid
 */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
