// `npm run test:sim`: worlds that nobody has seen yet, for a minute (`-- --seconds N`). A law that is broken ends it, with the line
// that replays that world.

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) {
  console.error("--seconds needs a number above 0.");
  process.exit(2);
}

process.chdir(ROOT);
ensureInstalled();
await build({ library: false });

const until = performance.now() + seconds * 1000;
let [worlds, commands, failed] = [0, 0, 0];
while (failed === 0 && performance.now() < until) {
  const size = ["--agents", String(randomInt(1, 9)), "--hours", String(randomInt(2, 36)), "--todos", String(randomInt(0, 60))];
  const line = ["sim", "--seed", String(randomInt(2 ** 47)), ...size];
  const ran = spawnSync(process.execPath, [join(ROOT, "dist/loopx.cjs"), ...line, "--json"], {
    encoding: "utf8",
    timeout: 600_000,
  });
  if (ran.status === 0) {
    worlds += 1;
    commands += JSON.parse(ran.stdout).commands;
  } else {
    failed = 1;
    console.error(`loopx ${line.join(" ")}\n${ran.stdout}${ran.stderr}`);
  }
}
console.log(`${commands} commands checked.`);
console.log(`${worlds} passed, ${failed} failed`);
process.exitCode = failed;
