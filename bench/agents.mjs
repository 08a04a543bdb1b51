// What turns, waiting and supervision cost beside the commands that agents run.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openProduct } from "./facts.mjs";
import { environment, NODE, PROGRAM, readAll, timed } from "./ground.mjs";
import { median, ms, percentile } from "./numbers.mjs";
import { product } from "./product.mjs";
import { atMost, row } from "./report.mjs";
import { cpuOf, memoryOf } from "./running-server.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report, Row } from "./report.mjs" */
/** @import { Tree } from "./tree.mjs" */

const AGENTS = 4;
const TURNS = 10;
const SLOTS = 100_000;
/** Seconds until a team that has nothing to do has come to rest. */
const SETTLE = 12;
const MOST_IDLE = 0.01;
const BARE_WAIT = "setInterval(() => {}, 250)";
const LOOK = "Look at what came as number";
const TODO = { role: "agent", priority: null, status: null, words: {}, agentId: null, turnInstanceId: null, dryRun: false };
const WORK = ["--host-command-json", '["true"]', "--validation-command-json", '["true"]'];

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function agents(ground) {
  const folder = ground.folder("agents");
  try {
    const { rounds, events, watch } = ground.quick
      ? { rounds: 3, events: 40, watch: 10 }
      : { rounds: 10, events: 300, watch: 60 };
    const turns = turnRows(
      makeTree(join(folder, "turns"), { goals: 1, runs: 10, todos: (rounds + 1) * (TURNS + 2), slots: SLOTS }),
      rounds,
    );
    const waiting = await waitingRows(makeTree(join(folder, "waiting"), { goals: 1, runs: 10, slots: SLOTS }), events);
    const idle = await idleRows(makeTree(join(folder, "idle"), { goals: 1, runs: 10, slots: SLOTS }), watch);
    return {
      title: "What agents cost",
      how: `Turns: the host and the check of each is \`true\`; medians of ${rounds} interleaved rounds. Waiting: ${events} todos added one after another, from the commit that adds one to the commit that leases it. Idle: ${AGENTS} workers and their supervisor, over ${watch} seconds.`,
      rows: [...turns, ...waiting, ...idle],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Tree} tree
 * @param {number} rounds
 * @returns {readonly Row[]}
 */
function turnRows(tree, rounds) {
  readAll(tree);
  const at = { cwd: tree.project, home: tree.home };
  const cpuOf = (/** @type {number} */ turns) => {
    const argv = [NODE, PROGRAM, "run", "--goal-id", goalName(0), "--agent-id", "bench", ...WORK, "--max-turns", String(turns)];
    return timed(argv, { ...at, times: 1 })[0].cpu;
  };
  cpuOf(1);
  /** @type {{ one: number, more: number, commands: number }[]} */
  const samples = [];
  for (let round = 0; round < rounds; round += 1) {
    const commands = timed(["true"], { ...at, times: 2 * TURNS })[0].cpu * 2;
    samples.push({ one: cpuOf(1), more: cpuOf(1 + TURNS), commands });
  }
  const turn = median(samples.map(({ one, more, commands }) => (more - one) / TURNS - commands));
  return [
    atMost(`CPU of a turn beside its commands, ${TURNS} in a run`, turn, { most: 0.15, as: ms }),
    row("CPU of a run of one turn, from start to end", ms(median(samples.map(({ one }) => one)))),
  ];
}

/**
 * @param {Tree} tree
 * @param {number} count
 * @returns {Promise<readonly Row[]>}
 */
async function waitingRows(tree, count) {
  const lib = await product();
  const { composed, app, workspace } = await openProduct(lib, tree);
  const goalId = goalName(0);
  const worker = start(tree, [
    "run",
    "--goal-id",
    goalId,
    "--agent-id",
    "bench",
    ...WORK,
    "--until-idle",
    "--idle-exit",
    "never",
  ]);
  try {
    await sleep(3000);
    for (let todo = 0; todo < count; todo += 1) {
      const added = await app.todoAdd({ ...TODO, goalId, text: `${LOOK} ${todo}.` });
      if (added.kind !== "done") throw new Error(JSON.stringify(added));
      await sleep(350 + (todo % 7) * 50);
    }
    await sleep(2000);
  } finally {
    await stop(worker);
  }
  const parsed = lib.parseGoalId(goalId);
  const seconds = await delays(workspace, parsed.ok ? parsed.id : goalId);
  await composed.close();
  if (seconds.length !== count) throw new Error(`${seconds.length} of ${count} todos were claimed`);
  const p99 = percentile(seconds, 0.99);
  const shown = `${ms(p99)} (p50 ${ms(median(seconds))}, longest ${ms(Math.max(...seconds))})`;
  return [atMost("from an event to the next claim of an agent that waits, p99", p99, { most: 0.4, as: ms, shown })];
}

/**
 * Milliseconds lie in the events themselves: when a todo was added, and when it was leased.
 * @param {any} workspace
 * @param {any} goal_id
 */
async function delays({ store }, goal_id) {
  /** @type {{ type: string, at: string, data: any }[]} */
  const events = await store.events({ goal_id, order: "oldest_first", limit: 100_000 });
  const ours = events.filter(({ type, data }) => type === "todo.added" && data.todo.text.startsWith(LOOK));
  const added = new Map(ours.map(({ at, data }) => [data.todo.todo_id, Date.parse(at)]));
  return events.flatMap(({ type, at, data }) => {
    const since = type === "lease.taken" ? added.get(data.todo_id) : undefined;
    return since === undefined ? [] : [(Date.parse(at) - since) / 1000];
  });
}

/**
 * @param {Tree} tree
 * @param {number} seconds
 * @returns {Promise<readonly Row[]>}
 */
async function idleRows(tree, seconds) {
  const bare = Array.from({ length: AGENTS + 1 }, () =>
    spawn(NODE, ["-e", BARE_WAIT], { env: environment(tree.home), stdio: "ignore" }),
  );
  const team = start(tree, ["launch", "--goal-id", goalName(0), "--agents", String(AGENTS), ...WORK, "--idle-exit", "never"]);
  try {
    await sleep(SETTLE * 1000);
    const pids = [team.pid ?? 0, ...childrenOf(team.pid ?? 0)];
    if (pids.length !== AGENTS + 1) throw new Error(`${pids.length} processes, not ${AGENTS + 1}`);
    const bares = bare.map(({ pid }) => pid ?? 0);
    const [cpu, cpuOfBare, newest] = [cpuOfAll(pids), cpuOfAll(bares), newestIn(tree.folder)];
    await sleep(seconds * 1000);
    const used = (cpuOfAll(pids) - cpu) / seconds;
    const floor = (cpuOfAll(bares) - cpuOfBare) / seconds;
    const written = newestIn(tree.folder) - newest;
    const resident = pids.reduce((sum, pid) => sum + memoryOf(pid, "VmRSS"), 0);
    const own = pids.reduce((sum, pid) => sum + memoryOf(pid, "RssAnon"), 0);
    return [
      row(`an idle team of ${AGENTS}, of one core`, percent(used), {
        target: `≤ ${percent(MOST_IDLE)}`,
        ok: floor > MOST_IDLE / 2 ? null : used <= MOST_IDLE,
      }),
      row(`bare: ${AGENTS + 1} processes of Node that wake up four times a second, meanwhile`, percent(floor)),
      row("files that it wrote meanwhile", written === 0 ? "none" : "some", { target: "none", ok: written === 0 }),
      atMost(`resident, supervisor and ${AGENTS} workers`, resident, {
        most: 400,
        as: megabytes,
        shown: `${megabytes(resident)} (not shared with others: ${megabytes(own)})`,
      }),
    ];
  } finally {
    await Promise.all([team, ...bare].map(stop));
  }
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(2)} %`;
}

/** @param {number} value */
function megabytes(value) {
  return `${value.toFixed(0)} MB`;
}

/** @param {string} folder */
function newestIn(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}

/** @param {number} pid */
function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

/** @param {readonly number[]} pids */
function cpuOfAll(pids) {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/**
 * @param {Tree} tree
 * @param {readonly string[]} args
 */
function start(tree, args) {
  return spawn(NODE, [PROGRAM, ...args], {
    cwd: tree.project,
    env: environment(tree.home),
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** @param {import("node:child_process").ChildProcess} child */
async function stop(child) {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
