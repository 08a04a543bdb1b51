// A worker that does what it is told to by `FAKE_WORKER`, a JSON object from agent ids (or `*`) to a list with one word for each
// start; the last word holds for all further starts. It leaves what it did in `FAKE_FOLDER`.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = process.env.FAKE_FOLDER ?? ".";
const agent = process.argv.find((argument) => argument.startsWith("--agent-id="))?.slice(11) ?? "?";
const words = JSON.parse(process.env.FAKE_WORKER ?? "{}");
const script = words[agent] ?? words["*"] ?? ["work:2"];
let turns = 0;
let host = null;
let stopping = false;

function leave(name, line) {
  appendFileSync(join(folder, name), `${line}\n`);
}

function report(fact) {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), turns, ...fact })}\n`);
}

function stop(reason, message, code = 0) {
  stopping = true;
  host?.kill("SIGKILL");
  report({ event: "stopped", reason, message });
  process.stdout.write("", () => process.exit(code));
}

function starts() {
  leave("starts", `${agent} ${process.pid} ${Date.now()}`);
  return readFileSync(join(folder, "starts"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${agent} `)).length;
}

/** A host: in a group of its own, found by the session's marker. */
function startHost() {
  host = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
}

const named = () => ({
  goal_id: "alpha",
  todo_id: `todo_${agent.replaceAll(/[^a-z0-9]/g, "")}`,
  turn_id: `${agent}/${turns + 1}`,
});
const usage = { input_tokens: null, output_tokens: null, wall_ms: 1 };
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function work(count) {
  for (let turn = 0; turn < count && !stopping; turn += 1) {
    const names = named();
    report({ event: "claimed", ...names, text: "Do it", epoch: 1 });
    report({ event: "turn_started", ...names });
    await pause(20);
    turns += 1;
    report({ event: "turn_settled", ...names, outcome: "validated_completion", summary: "Done", usage });
    leave("turns", names.turn_id);
  }
  if (!stopping) stop("turns_done", "All turns are taken.");
}

function failed(failure) {
  const names = named();
  turns += 1;
  report({ event: "turn_failed", ...names, failure, usage });
}

const BEHAVIOURS = {
  work: (count) => void work(Number(count)),
  crash: () => process.exit(1),
  fatal: () => stop("fatal", "There is no program claude.", 3),
  idle: () => report({ event: "idle", why: "nothing to do" }),
  host: () => {
    startHost();
    report({ event: "claimed", ...named(), text: "Go on for long", epoch: 1 });
    report({ event: "turn_started", ...named() });
    leave("hosts", `${agent} ${host.pid}`);
  },
  fail: () => {
    const again = () => {
      failed({ kind: "crashed", message: "The host ended with exit status 1." });
      if (!stopping) setTimeout(again, 30);
    };
    again();
  },
  rate: () => failed({ kind: "rate_limited", message: "Too many.", until: new Date(Date.now() + 3_600_000).toISOString() }),
  deaf: () => {
    report({ event: "idle", why: "does not listen" });
    setInterval(() => {}, 1000);
  },
};

const word = script[Math.min(starts(), script.length) - 1];
const [name, argument] = word.split(":");
if (name !== "deaf") {
  const orders = createInterface({ input: process.stdin });
  orders.on("line", (line) => {
    leave("orders", `${agent} ${line}`);
    const order = JSON.parse(line);
    if (order.do === "stop") stop("stopped", "It was told to.");
    if (order.do === "drain") name === "work" ? undefined : stop("drained", "It was told to.");
  });
  orders.on("close", () => stop("stopped", "Nobody is there to tell it."));
}
report({ event: "deciding" });
BEHAVIOURS[name](argument);
