// The work of one turn and its check, for storms of kills: `storm-host.mjs LOG HABIT [TODO]`, in the folder of the goal. Every step is a
// line of the log, `word todo turn pid`, so that what ran, and how often, is known whoever was killed.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , log, habit, named] = process.argv;
const todo = named ?? process.env["LOOPX_TODO_ID"];
const turn = process.env["LOOPX_TURN_ID"] ?? "-";
const parent = process.ppid;
/** A test that fails leaves nothing behind for longer. */
const LONGEST_MS = 120_000;

function say(word) {
  appendFileSync(log, `${word} ${todo} ${turn} ${process.pid}\n`);
}

function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Works on for ever once nobody waits for it: whoever comes next has to end it. */
async function work(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 20) {
    await sleep(20);
    if (process.ppid !== parent && habit !== "submits") await sleep(LONGEST_MS);
  }
}

async function check() {
  say("checking");
  await work(160);
  process.exitCode = existsSync(`${todo}.txt`) ? 0 : 1;
}

/** Of this todo, in another turn. */
function otherHosts() {
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const hosts = lines.map((line) => line.split(" ")).filter(([word, of, by]) => word === "started" && of === todo && by !== turn);
  return hosts.map(([, , , pid]) => pid);
}

async function host() {
  say("started");
  if (otherHosts().some(isAlive)) say("beside");
  if (habit === "leaves") spawn("sleep", [String(LONGEST_MS / 1000)], { detached: true, stdio: "ignore" }).unref();
  await work(200);
  if (habit === "halves" && !existsSync(`${todo}.half`)) {
    writeFileSync(`${todo}.half`, "");
    console.log('{"loopx_event":"result","result":{"kind":"validated_progress","summary":"Half of it."}}');
    return;
  }
  writeFileSync(`${todo}.txt`, "");
  say("finished");
  if (habit !== "submits") return;
  spawnSync("loopx", ["turn", "submit", "--kind", "validated_completion", "--summary", "Built."], { stdio: "ignore" });
  say("submitted");
  await work(200);
}

await (habit === "checks" ? check() : host());
