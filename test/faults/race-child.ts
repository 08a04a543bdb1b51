/** One process of the races: `<job> <project> <milliseconds at which to begin> <name> <count>`. */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { goalAdd } from "../../src/commands/add-goal.ts";
import { PLAIN_RUN } from "../../src/commands/plain-run.ts";
import { type Composed, compose } from "../../src/compose.ts";
import type { Reply } from "../../src/core/result.ts";

const [job = "", project = "", begin = "0", name = "g", count = "1"] = process.argv.slice(2);

function opened(): Composed {
  return compose({
    registry: `${project}/.loopx/registry.json`,
    runtimeRoot: null,
    cwd: project,
    env: process.env,
    log: { level: null, file: null, echo: null, correlation: name },
    progress: { report: () => undefined },
  });
}

function unwrap<T>(reply: Reply<T>): T {
  if (reply.kind === "done") return reply.value;
  throw new Error(JSON.stringify(reply));
}

/** Prints the longest wait, in milliseconds. */
async function refreshing(goalId: string, of: Composed): Promise<void> {
  let longest = 0;
  for (let turn = 0; turn < Number(count); turn += 1) {
    const started = performance.now();
    const nextAction = turn % 3 === 0 ? `${name} says ${turn}` : null;
    const answer = unwrap(
      await of.app.refresh({ ...PLAIN_RUN, classification: "progress", goalId, nextAction, turnInstanceId: `${name}-${turn}` }),
    );
    if (!("appended" in answer) || answer.appended !== true) throw new Error(JSON.stringify(answer));
    longest = Math.max(longest, performance.now() - started);
  }
  process.stdout.write(`${Math.round(longest)}\n`);
}

const JOBS: Readonly<Record<string, (of: Composed) => Promise<void>>> = {
  /** Records runs on the goal that all share. */
  share: (of) => refreshing("alpha", of),

  /** Registers a goal of its own and records runs on it. */
  own: async (of) => {
    const workspace = await unwrap(await of.workspace()).writing();
    const request = { goalId: name, objective: `Of ${name}`, displayName: null, stateFile: null, dryRun: false };
    unwrap(await goalAdd(workspace, request));
    await refreshing(name, of);
  },

  /** A person who adds a line and saves onto the file, again and again, until told to stop; prints how often. */
  edit: async () => {
    const path = `${project}/goals/alpha/ACTIVE_GOAL_STATE.md`;
    let stop = false;
    process.stdin.once("data", () => {
      stop = true;
    });
    let saves = 0;
    while (!stop) {
      const text = readFileSync(path, "utf8");
      writeFileSync(path, `${text}- [ ] Saved ${saves}\n`);
      saves += 1;
      // Slower as the file grows: what each save costs the others grows with it, and the race is to end on any machine.
      await pause(5 + (saves % 7) * 10 + saves / 10);
    }
    process.stdout.write(`${saves}\n`);
    process.exit(0);
  },
};

await pause(Math.max(0, Number(begin) - Date.now()));
const of = opened();
await JOBS[job]?.(of);
await of.close();
