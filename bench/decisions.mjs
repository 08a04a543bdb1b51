// What an agent's question and claim cost: whole processes against bare Node, and inside a process that stays.

import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { appendFacts, openProduct, runFact } from "./facts.mjs";
import { NODE, PROGRAM, readAll, runOnce, timed } from "./ground.mjs";
import { kib, median, ms, percentile, times, whole } from "./numbers.mjs";
import { product } from "./product.mjs";
import { atMost, row } from "./report.mjs";
import { goalName, makeTree } from "./tree.mjs";

/** @import { Ground } from "./ground.mjs" */
/** @import { Report, Row } from "./report.mjs" */
/** @import { Tree } from "./tree.mjs" */

const BATCH = 4;
const AGENT = "bench";
const FEW = 10;
const QUESTIONS = 2000;
const NEW_STORE_CLAIMS = 5;

/**
 * A place where the commands are asked: `goal` names the goal of run `{i}`.
 * @typedef {{ readonly name: string, readonly tree: Tree, readonly goal: string }} Place
 */

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function decisions(ground) {
  const size = ground.quick ? { todos: 1000, events: 10_000 } : { todos: 10_000, events: 100_000 };
  const folder = ground.folder("decisions");
  try {
    const places = await makePlaces(ground, folder, size);
    const cpu = measure(places, ground.quick ? 5 : 20);
    return {
      title: "What a question and a claim cost",
      how: `Processes: CPU (user and system, all threads), medians of ${ground.quick ? 5 : 20} interleaved rounds, each the mean of ${BATCH} runs; every claim takes a lease that is released, unmeasured, before the next round. In process: by the clock.`,
      rows: [...processRows(cpu, places), ...(await inProcessRows(places))],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @typedef {Record<"goals" | "fewEvents" | "manyEvents" | "fewTodos" | "manyTodos", Place>} Places */

/**
 * @param {Ground} ground
 * @param {string} folder
 * @param {{ readonly todos: number, readonly events: number }} size
 * @returns {Promise<Places>}
 */
async function makePlaces(ground, folder, { todos, events }) {
  const small = (/** @type {string} */ name, /** @type {number} */ more) => {
    const tree = makeTree(join(folder, name), { goals: BATCH, runs: 10, todos: more });
    readAll(tree);
    return tree;
  };
  const goal = "goal-0000{i}";
  const big = ground.tree(ground.big, "w");
  const many = small("many-events", 0);
  console.error(`Writing ${events} events …`);
  await giveEvents(many, events);
  return {
    goals: { name: `${whole(big.goals)} goals`, tree: big, goal },
    fewEvents: { name: "1 event", tree: small("few-events", 0), goal },
    manyEvents: { name: `${whole(events)} events`, tree: many, goal },
    fewTodos: { name: `${FEW} todos`, tree: small("few-todos", FEW), goal },
    manyTodos: { name: `${whole(todos)} todos`, tree: small("many-todos", todos), goal },
  };
}

/**
 * @param {Tree} tree
 * @param {number} count
 */
async function giveEvents(tree, count) {
  const lib = await product();
  const { composed, app, workspace } = await openProduct(lib, tree);
  const began = Date.UTC(2025, 0, 1);
  for (let at = 0; at < BATCH; at += 1) {
    const goal = goalName(at);
    const begun = await app.refresh({ ...lib.PLAIN_RUN, goalId: goal });
    if (begun.kind !== "done") throw new Error(JSON.stringify(begun));
    await appendFacts(lib, workspace, { goal, count, began, factAt: runFact });
  }
  await composed.close();
}

const ASKED = (/** @type {Place} */ { goal }) => ["--goal-id", goal, "--agent-id", AGENT];

/**
 * CPU seconds of `next` and `claim` in each place, and of bare Node.
 * @param {Places} places
 * @param {number} rounds
 */
function measure(places, rounds) {
  const all = Object.values(places);
  /** @type {Map<string, number[]>} */
  const samples = new Map();
  const sample = (/** @type {string} */ key, /** @type {number} */ cpu) => samples.set(key, [...(samples.get(key) ?? []), cpu]);
  const [first] = all;
  if (first === undefined) throw new Error("no place");
  for (let round = 0; round <= rounds; round += 1) {
    const keep = round > 0 ? sample : () => {};
    const bare = { cwd: first.tree.project, home: first.tree.home, times: BATCH };
    keep("node", timed([NODE, "-e", "0"], bare)[0].cpu);
    for (const place of all) {
      const at = { cwd: place.tree.project, home: place.tree.home, times: BATCH };
      keep(`next ${place.name}`, timed([NODE, PROGRAM, "next", ...ASKED(place)], at)[0].cpu);
      keep(`claim ${place.name}`, timed([NODE, PROGRAM, "claim", ...ASKED(place)], at)[0].cpu);
      for (let run = 0; run < BATCH; run += 1) release(place, run);
    }
  }
  return (/** @type {string} */ key) => median(samples.get(key) ?? []);
}

/**
 * @param {Place} place
 * @param {number} run
 */
function release({ tree, goal }, run) {
  const where = { cwd: tree.project, home: tree.home };
  const goalId = goal.replace("{i}", String(run));
  const { stdout } = runOnce([NODE, PROGRAM, "lease", "list", "--goal-id", goalId, "--json"], where);
  /** @type {{ leases: { todo_id: string, epoch: number }[] }} */
  const { leases } = JSON.parse(stdout);
  if (leases.length !== 1) throw new Error(`${leases.length} leases of ${goalId}, not the one that was claimed`);
  for (const { todo_id, epoch } of leases) {
    const fence = ["--todo-id", todo_id, "--lease-epoch", String(epoch)];
    runOnce([NODE, PROGRAM, "lease", "release", "--goal-id", goalId, "--agent-id", AGENT, ...fence], where);
  }
}

/**
 * @param {(key: string) => number} cpu
 * @param {Places} places
 * @returns {Row[]}
 */
function processRows(cpu, { goals, fewEvents, manyEvents, fewTodos, manyTodos }) {
  const node = cpu("node");
  const against = (/** @type {string} */ command, /** @type {number} */ most) => {
    const used = cpu(`${command} ${goals.name}`);
    const shown = `${times(used / node)} (${ms(used)})`;
    return atMost(`\`loopx ${command}\` at ${goals.name}, against bare Node`, used / node, { most, as: times, shown });
  };
  const between = (
    /** @type {string} */ command,
    /** @type {readonly [Place, Place]} */ [few, many],
    /** @type {number} */ most,
  ) => {
    const [less, more] = [cpu(`${command} ${few.name}`), cpu(`${command} ${many.name}`)];
    const shown = `${times(more / less)} (${ms(less)} → ${ms(more)})`;
    return atMost(`\`loopx ${command}\`, ${many.name} against ${few.name}`, more / less, { most, as: times, shown });
  };
  return [
    row("`node -e 0`", ms(node)),
    against("next", 2.2),
    against("claim", 2.5),
    between("next", [fewEvents, manyEvents], 1.2),
    between("claim", [fewEvents, manyEvents], 1.2),
    between("next", [fewTodos, manyTodos], 1.5),
    between("claim", [fewTodos, manyTodos], 1.5),
  ];
}

/**
 * @param {Places} places
 * @returns {Promise<Row[]>}
 */
async function inProcessRows({ goals, manyTodos }) {
  const lib = await product();
  const todos = await openProduct(lib, manyTodos.tree);
  const asked = await questions(todos.app, { goals: BATCH });
  const page = await readySet(lib, todos.workspace, 64);
  const all = await readySet(lib, todos.workspace, 100_000);
  await todos.composed.close();
  const big = await openProduct(lib, goals.tree);
  const among = await questions(big.app, { goals: goals.tree.goals });
  await big.composed.close();
  const written = [];
  for (let claim = 0; claim < NEW_STORE_CLAIMS; claim += 1) written.push(await bytesOfClaim(lib, manyTodos.tree, claim));
  return [
    nextRow(`\`next\` in process, ${manyTodos.name} open, p99`, asked),
    nextRow(`\`next\` in process, ${goals.name} in turns, p99`, among),
    atMost(`what can be done of ${manyTodos.name}: the ${page.count} that a decision looks at`, page.seconds, {
      most: 0.01,
      as: ms,
    }),
    row(`what can be done of ${manyTodos.name}: all ${whole(all.count)}`, ms(all.seconds)),
    atMost(`one claim at ${manyTodos.name} writes to the store`, median(written), { most: 16 * 1024, as: kib }),
  ];
}

/**
 * @param {string} what
 * @param {readonly number[]} seconds
 */
function nextRow(what, seconds) {
  const p99 = percentile(seconds, 0.99);
  return atMost(what, p99, { most: 0.002, as: ms, shown: `${ms(p99)} (p50 ${ms(median(seconds))})` });
}

/**
 * Seconds of each of `QUESTIONS` calls, after one of each goal that is not counted.
 * @param {any} app
 * @param {{ readonly goals: number }} asked
 */
async function questions(app, { goals }) {
  const seconds = [];
  const among = Math.min(goals, QUESTIONS);
  for (let call = -among; call < QUESTIONS; call += 1) {
    const goalId = goalName((call + among) % among);
    const began = process.hrtime.bigint();
    const answer = await app.next({
      goalId,
      agentId: AGENT,
      turnInstanceId: null,
      instance: null,
      capabilities: [],
      seen: null,
    });
    if (call >= 0) seconds.push(Number(process.hrtime.bigint() - began) / 1e9);
    if (answer.kind !== "done" || answer.value.act !== "run") throw new Error(JSON.stringify(answer));
  }
  return seconds;
}

/**
 * The first todos that can be worked on, in order, as one answer of the store.
 * @param {typeof import("./library.mjs")} lib
 * @param {any} workspace
 * @param {number} limit
 */
async function readySet(lib, workspace, limit) {
  const parsed = lib.parseGoalId(goalName(0));
  if (!parsed.ok) throw new Error("no goal id");
  const frontier = { agent: lib.parseAgentId(AGENT), now: workspace.clock.now(), limit };
  const seconds = [];
  let count = 0;
  for (let round = 0; round < 11; round += 1) {
    const began = process.hrtime.bigint();
    const loaded = await workspace.store.load({ goal_id: parsed.id, todos: "none", base: "none", frontier });
    seconds.push(Number(process.hrtime.bigint() - began) / 1e9);
    count = loaded.frontier.work.length;
  }
  return { seconds: median(seconds.slice(1)), count };
}

/**
 * Growth of the write-ahead log by one claim: nothing else is open, so that the log begins empty.
 * @param {typeof import("./library.mjs")} lib
 * @param {Tree} tree
 * @param {number} turn
 */
async function bytesOfClaim(lib, tree, turn) {
  const log = join(tree.runtime, "loopx.db-wal");
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const { composed, app } = await openProduct(lib, tree);
  const before = size();
  const claimed = await app.claim({
    goalId: goalName(1),
    agentId: `${AGENT}-${turn}`,
    todoId: null,
    turnInstanceId: `bench-${turn}`,
    instance: null,
    ttlSeconds: null,
    capabilities: [],
    writeScopes: [],
    idempotencyKey: null,
    dryRun: false,
  });
  const written = size() - before;
  await composed.close();
  if (claimed.kind !== "done" || claimed.value.lease === null || written <= 0) throw new Error(JSON.stringify(claimed));
  return written;
}
