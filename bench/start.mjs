// What a command costs, in CPU: against bare Node, and at 10,000 goals against one.

import { codeFloor, storeFloor } from "./floor.mjs";
import { NODE, PROGRAM, timed } from "./ground.mjs";
import { median, ms, times } from "./numbers.mjs";
import { profileOf } from "./profile.mjs";
import { atMost, row } from "./report.mjs";
import { goalName } from "./tree.mjs";

/** @import { AdoptedTree, Ground } from "./ground.mjs" */
/** @import { Report } from "./report.mjs" */

const BATCH = 4;
const READ_GOAL = 0;

/**
 * `most` is the target against bare Node.
 * @typedef {{ readonly name: string, readonly most: number, readonly args: (tree: AdoptedTree) => readonly string[], readonly use: "r" | "w" }} Command
 * @type {readonly Command[]}
 */
const COMMANDS = [
  { name: "loopx --version", most: 1.3, use: "r", args: () => ["--version"] },
  { name: "loopx status --goal-id g", most: 2, use: "r", args: () => ["status", "--goal-id", goalName(READ_GOAL)] },
  { name: "loopx history --goal-id g", most: 2, use: "r", args: () => ["history", "--goal-id", goalName(READ_GOAL)] },
  {
    name: "loopx refresh --goal-id g",
    most: 2.5,
    use: "w",
    args: (tree) => ["refresh", "--goal-id", goalName(tree.goals - 1)],
  },
  { name: "loopx status", most: 2.5, use: "r", args: () => ["status"] },
];

/** Commands whose floor is shown. */
const FLOORS = ["loopx status --goal-id g", "loopx refresh --goal-id g", "loopx status"];

/** @typedef {{ readonly node: number, readonly floors: Map<string, number>, readonly small: Map<string, number>, readonly big: Map<string, number>, readonly bigTree: AdoptedTree, readonly wall: Map<string, number> }} Costs */

/** @type {Costs | null} */
let measured = null;

/**
 * @param {Ground} ground
 * @returns {Costs}
 */
function measure(ground) {
  measured ??= measureNow(ground);
  return measured;
}

/**
 * Rounds of everything once, so that a load that comes and goes meets all of it alike.
 * @param {Ground} ground
 * @returns {Costs}
 */
function measureNow(ground) {
  const big = ground.tree(ground.big);
  const place = { cwd: big.project, home: big.home, times: BATCH };
  const jobs = [{ key: "node", argv: [NODE, "-e", "0"], place }];
  for (const command of COMMANDS) {
    // The one goal of the small tree would be read and written in turns: each gets a tree of its own.
    const small = ground.tree(ground.small, command.use);
    jobs.push({
      key: `small ${command.name}`,
      argv: [NODE, PROGRAM, ...command.args(small)],
      place: { ...place, cwd: small.project, home: small.home },
    });
    jobs.push({ key: `big ${command.name}`, argv: [NODE, PROGRAM, ...command.args(big)], place });
  }
  jobs.push({ key: "floor store", argv: storeFloor(big), place });
  for (const { name, args } of COMMANDS.filter((command) => FLOORS.includes(command.name)))
    jobs.push({ key: `floor ${name}`, argv: codeFloor(big, args(big)), place });
  /** @type {Map<string, { cpu: number[], wall: number[] }>} */
  const samples = new Map(jobs.map(({ key }) => [key, { cpu: [], wall: [] }]));
  const rounds = ground.quick ? 5 : 20;
  for (const job of jobs) timed(job.argv, { ...job.place, times: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const job of jobs) {
      const [run] = timed(job.argv, job.place);
      samples.get(job.key)?.cpu.push(run.cpu);
      samples.get(job.key)?.wall.push(run.seconds);
    }
  }
  const of = (/** @type {string} */ key) => median(samples.get(key)?.cpu ?? []);
  const all = (/** @type {string} */ size) => new Map(COMMANDS.map(({ name }) => [name, of(`${size} ${name}`)]));
  const wall = new Map([...samples].map(([key, sample]) => [key, Math.min(...sample.wall)]));
  const floors = new Map(["store", ...FLOORS].map((name) => [name, of(`floor ${name}`)]));
  return { node: of("node"), floors, small: all("small"), big: all("big"), bigTree: big, wall };
}

const HOW = (/** @type {Ground} */ ground) =>
  `CPU (user and system, all threads) of whole processes, medians of ${ground.quick ? 5 : 20} interleaved rounds, each the mean of ${BATCH} runs.`;

/**
 * @param {Ground} ground
 * @param {{ readonly profile: boolean }} options
 * @returns {Promise<Report>}
 */
export async function start(ground, { profile }) {
  const { node, floors, big, bigTree, wall } = measure(ground);
  const rows = COMMANDS.map(({ name, most }) => {
    const cpu = big.get(name) ?? Number.NaN;
    const shown = `${times(cpu / node)} (${ms(cpu)}; wall at best ${ms(wall.get(`big ${name}`) ?? Number.NaN)})`;
    return atMost(`\`${name}\``, cpu / node, { most, as: times, shown });
  });
  const below = [...floors].map(([name, cpu]) =>
    row(
      name === "store" ? "`node` that opens the store and reads a row" : `and loads the code of \`${name}\``,
      `${times(cpu / node)} (${ms(cpu)})`,
    ),
  );
  const missed = COMMANDS.filter((_, at) => rows[at]?.ok === false);
  return {
    title: `What a command costs against bare Node, at ${ground.big.goals} goals × ${ground.big.runs} runs`,
    how: HOW(ground),
    rows: [row("`node -e 0`", ms(node)), ...rows, ...below],
    notes: profile ? missed.map((command) => profileOf(command.name, [PROGRAM, ...command.args(bigTree)], bigTree)) : [],
  };
}

/**
 * @param {Ground} ground
 * @returns {Promise<Report>}
 */
export async function scale(ground) {
  const { small, big } = measure(ground);
  const { goals, runs } = ground.big;
  return {
    title: `What ${goals} goals × ${runs} runs cost against ${ground.small.goals} × ${ground.small.runs}`,
    how: HOW(ground),
    rows: COMMANDS.map(({ name }) => {
      const [few, many] = [small.get(name) ?? Number.NaN, big.get(name) ?? Number.NaN];
      return atMost(`\`${name}\``, many / few, {
        most: 1.2,
        as: times,
        shown: `${times(many / few)} (${ms(few)} → ${ms(many)})`,
      });
    }),
  };
}
