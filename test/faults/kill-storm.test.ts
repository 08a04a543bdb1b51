// Teams and agents of the built program, killed at every phase of a turn: the host, a worker, the supervisor, the team without its hosts,
// everything. Whoever goes on, or comes next, finishes the work once. `STORM_SEEDS` says how many storms there are, `STORM_SEED` which one alone;
// a seed says who is killed when, the machine how far everybody is by then.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Random } from "../../src/core/sim/random.ts";
import { allIsDone, allIsWell } from "./storm-check.ts";
import { onPhase, processesOf, type Seen, type Started, type StormProject, start, stormProject } from "./storm-project.ts";

const ONE = process.env["STORM_SEED"];
const COUNT = Number(process.env["STORM_SEEDS"] ?? 12);
const SEEDS = ONE === undefined ? Array.from({ length: COUNT }, (_, at) => at) : [Number(ONE)];
const LINE = "npx vitest run --config test/faults/vitest.config.ts test/faults/kill-storm.test.ts";

/** Each five seeds in a row have all victims and all phases, each twenty-five every pair. */
const VICTIMS = ["host", "worker", "supervisor", "team", "all"] as const;
const PHASES = ["claiming", "hosting", "judged", "settled", "any"] as const;
/** How long after the phase began the blow falls: within it, or just behind it. */
const LONGEST_DELAY = { claiming: 12, hosting: 450, judged: 350, settled: 3, any: 1500 } as const;
const TTL_S = 2;

interface Blow {
  readonly victim: (typeof VICTIMS)[number];
  readonly phase: (typeof PHASES)[number];
  /** The phase is seen so often before. */
  readonly nth: number;
  readonly delay_ms: number;
  readonly draw: number;
}

interface Storm {
  readonly mode: "team" | "agents";
  readonly goals: readonly string[];
  readonly todos: number;
  readonly agents: number;
  readonly blows: readonly Blow[];
}

function stormOf(seed: number): Storm {
  const random = new Random(seed);
  const phase = (seed * 2 + Math.floor(seed / 5)) % PHASES.length;
  const blows = Array.from({ length: random.between(1, 3) }, (_, at): Blow => {
    const victim = at === 0 ? (VICTIMS[seed % VICTIMS.length] ?? "all") : random.pick(VICTIMS);
    const when = at === 0 ? (PHASES[phase] ?? "any") : random.pick(PHASES);
    const delay_ms = random.chance(0.3) ? 0 : random.between(0, LONGEST_DELAY[when]);
    return { victim, phase: when, nth: random.between(1, 3), delay_ms, draw: random.below(1000) };
  });
  return {
    mode: seed % 3 === 2 ? "agents" : "team",
    goals: random.chance(0.5) ? ["alpha"] : ["alpha", "beta"],
    todos: random.between(4, 6),
    agents: random.between(2, 3),
    blows,
  };
}

/** Whom the blow hits of those who are there. */
function targets({ victim, draw }: Blow, mode: Storm["mode"], seen: readonly Seen[]): readonly Seen[] {
  const roles = seen.filter(({ role }) => role === victim);
  switch (victim) {
    case "host":
    case "worker":
      return roles.slice(draw % Math.max(1, roles.length)).slice(0, 1);
    case "supervisor":
      return mode === "team" ? roles : targets({ victim: "worker", draw } as Blow, mode, seen);
    case "team":
      return seen.filter(({ role }) => role === "worker" || role === "supervisor");
    case "all":
      return seen;
  }
}

function kill(seen: readonly Seen[]): void {
  for (const { pid } of seen) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {} // It was faster.
  }
}

/** False: there was no such moment, or nobody to hit, before all had ended. */
async function strike(of: StormProject, blow: Blow, { mode, over }: { mode: Storm["mode"]; over: Promise<unknown> }) {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  await momentOf(of, blow, over);
  let hit = targets(blow, mode, processesOf(of));
  for (; hit.length === 0 && !isOver; hit = targets(blow, mode, processesOf(of))) await sleep(2);
  kill(hit);
  const isWide = blow.victim === "team" || blow.victim === "all";
  // Who was started in that instant is of the team as well.
  for (let left = hit; isWide && left.length > 0; left = targets(blow, mode, processesOf(of))) {
    kill(left);
    await sleep(2);
  }
  return hit.length > 0;
}

/** The end of all is a moment as well. */
async function momentOf(of: StormProject, { phase, nth, delay_ms }: Blow, over: Promise<unknown>): Promise<void> {
  if (phase !== "any") {
    let left = nth;
    let end = (): void => {};
    const seen = new Promise<void>((resolve) => {
      end = onPhase(of, (kind) => {
        if (kind === phase) left -= 1;
        if (left === 0) resolve();
      });
    });
    await Promise.race([seen, over]);
    end();
  }
  if (delay_ms > 0) await Promise.race([sleep(delay_ms), over]);
}

let project: StormProject;
afterEach(() => kill(processesOf(project)));

function launch(of: StormProject, { agents }: Storm): Started {
  return start(of, "launch", "--agents", String(agents), "--idle-exit", "0.3", "--backoff-min", "0.1", "--backoff-max", "0.4");
}

function agentRun(of: StormProject, agent: string): Started {
  return start(of, "run", "--agent-id", agent, "--until-idle", "--idle-exit", String(TTL_S + 2), "--ttl-seconds", String(TTL_S));
}

async function teamStorm(of: StormProject, storm: Storm): Promise<number> {
  let hits = 0;
  let team = launch(of, storm);
  for (const blow of storm.blows) {
    if (await strike(of, blow, { mode: "team", over: team.ended })) hits += 1;
    if (blow.victim === "host" || blow.victim === "worker") continue;
    await team.ended;
    team = launch(of, storm);
  }
  expect(await team.ended, team.text()).toBe(0);
  await allIsDone(of);
  const idle = launch(of, storm);
  expect(await idle.ended, idle.text()).toBe(0);
  await allIsWell(of);
  return hits;
}

/** Nobody supervises: whoever is left takes over when the lease has run out, and a stranger where nobody is. */
async function agentStorm(of: StormProject, storm: Storm): Promise<number> {
  const names = Array.from({ length: storm.agents }, (_, at) => `a${at}`);
  const runs = names.map((name) => agentRun(of, name));
  const over = Promise.all(runs.map(({ ended }) => ended));
  let hits = 0;
  for (const blow of storm.blows) if (await strike(of, blow, { mode: "agents", over })) hits += 1;
  await over;
  const stranger = agentRun(of, "stranger");
  expect(await stranger.ended, stranger.text()).toBe(0);
  await allIsDone(of);
  const again = names.map((name) => start(of, "run", "--agent-id", name, "--until-idle"));
  for (const { ended, text } of again) expect([0, 1], text()).toContain(await ended);
  await allIsWell(of);
  return hits;
}

test.each(SEEDS)(
  "storm %i",
  async (seed) => {
    const storm = stormOf(seed);
    project = stormProject(storm.goals, storm.todos);
    try {
      const hits = await (storm.mode === "team" ? teamStorm : agentStorm)(project, storm);
      expect(hits).toBeGreaterThan(0);
      project.remove();
    } catch (error) {
      console.error(`Again: STORM_SEED=${seed} ${LINE}\nLeft: ${project.folder}\n${JSON.stringify(storm)}`);
      throw error;
    }
  },
  120_000,
);
