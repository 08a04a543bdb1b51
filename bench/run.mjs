// `npm run bench -- [start|scale|reads|server|foreign|rebuild|writers|plan|decisions|pairs|agents|sim]… [--quick] [--write] [--profile] [--trees DIR]`

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Ground, PROGRAM } from "./ground.mjs";
import { load, markdown, writeIntoReadme } from "./report.mjs";

/** @import { Report } from "./report.mjs" */

/** @type {Record<string, (ground: Ground, options: { readonly profile: boolean }) => Promise<Report>>} */
const BENCHES = {
  start: async (ground, options) => (await import("./start.mjs")).start(ground, options),
  scale: async (ground) => (await import("./start.mjs")).scale(ground),
  reads: async (ground) => (await import("./reads.mjs")).reads(ground),
  server: async (ground, options) => (await import("./server.mjs")).server(ground, options),
  foreign: async (ground, options) => (await import("./foreign.mjs")).foreign(ground, options),
  rebuild: async (ground) => (await import("./rebuild.mjs")).rebuild(ground),
  writers: async (ground, options) => (await import("./writers.mjs")).writers(ground, options),
  plan: async () => (await import("./plan.mjs")).plan(),
  decisions: async (ground) => (await import("./decisions.mjs")).decisions(ground),
  pairs: async (ground) => (await import("./writers.mjs")).pairs(ground),
  agents: async (ground) => (await import("./agents.mjs")).agents(ground),
  sim: async () => (await import("./sim.mjs")).sim(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    trees: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) fail(`no such bench: ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`);
if (values.write && values.quick) fail("--quick measures another tree than the page speaks of: it cannot be written.");
if (!existsSync(PROGRAM)) fail(`${PROGRAM} is missing: npm run build.`);

const ground = new Ground({ trees: values.trees === undefined ? null : resolve(values.trees), quick: values.quick });
process.once("SIGINT", () => {
  ground.end();
  process.exit(130);
});
try {
  const chosen = positionals.length === 0 ? Object.keys(BENCHES) : positionals;
  for (const name of chosen) {
    await run(name).catch((error) => {
      console.error(`Bench ${name} failed:`, error);
      process.exitCode = 1;
    });
  }
} finally {
  ground.end();
}

/** @param {string} name */
async function run(name) {
  const before = load();
  console.error(`Bench ${name} …`);
  const report = await BENCHES[name]?.(ground, { profile: values.profile });
  if (report === undefined) return;
  const command = `npm run bench -- ${name}${values.quick ? " --quick" : ""}`;
  const text = markdown(report, { command, before });
  console.log(text);
  if (values.write) writeIntoReadme(name, text);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(2);
}
