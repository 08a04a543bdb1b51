// How fast simulated worlds go by, every step checked.

import { cpus } from "node:os";
import { whole } from "./numbers.mjs";
import { product } from "./product.mjs";
import { atLeast, load, row } from "./report.mjs";

/** @import { Report } from "./report.mjs" */

const LEAST = 50_000;
const WORLDS = 30;
const WORLD = { agents: 4, hours: 24, todos: 24 };

/** @returns {Promise<Report>} */
export async function sim() {
  const lib = await product();
  await world(lib, 0);
  const [began, used] = [process.hrtime.bigint(), process.cpuUsage()];
  const worlds = [];
  for (let seed = 1; seed <= WORLDS; seed += 1) worlds.push(await world(lib, seed));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const { user, system } = process.cpuUsage(used);
  const commands = worlds.reduce((sum, each) => sum + each.commands, 0);
  const byClock = (commands / seconds) * 60;
  const byCpu = (commands / ((user + system) / 1e6)) * 60;
  const clocked = atLeast("checked commands a minute, by the clock", byClock, { least: LEAST, as: whole });
  const isBusy = load() > cpus().length;
  return {
    title: "Simulated worlds",
    how: `In one process: seeds 1 to ${WORLDS} after one that is not counted, ${WORLD.agents} agents and ${WORLD.hours} hours each.`,
    rows: [
      isBusy && byClock < LEAST ? { ...clocked, ok: null } : clocked,
      atLeast("checked commands a minute of CPU", byCpu, { least: LEAST, as: whole }),
      row("commands in all", `${whole(commands)} in ${seconds.toFixed(1)} s`),
      row("todos done", whole(worlds.reduce((sum, each) => sum + each.todos_done, 0))),
    ],
  };
}

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {number} seed
 */
async function world(lib, seed) {
  const reply = await lib.sim(lib.simGround({ report: () => {} }), { seed, ...WORLD });
  if (reply.kind !== "done" || !reply.value.ok) throw new Error(`seed ${seed} failed: ${JSON.stringify(reply)}`);
  return reply.value;
}
