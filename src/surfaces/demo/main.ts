/**
 * The demonstration behind `npm start`: looks at a project with damage, has a team work off a project of its own, and serves that until it
 * is stopped.
 *
 * Does not own: what is in the projects (`sample.ts`, `work.ts`), what is said (`words.ts`), any rule of LoopX.
 *
 * N1  The projects are removed at every end, unless `--keep` was given.
 * N2  `--once` ends with 0 when LoopX sees what was put there and everything is done that nobody holds up, else with 1 and what differs.
 */
import { dirname, join } from "node:path";
import type { App } from "../../commands/app.ts";
import type { TeamSignal } from "../../commands/launch-words.ts";
import { type ComposeOptions, compose } from "../../compose.ts";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import { statusPage } from "../../core/show/markdown/status.ts";
import { answerOf, answered as gateAnswered, type Job, type Outcome, outcomeOf, runJob, type Team } from "./job.ts";
import { makeSample, type SampleProject } from "./make-sample.ts";
import { makeWork } from "./make-work.ts";
import { differences } from "./picture.ts";
import { answered, hints, introduction, jobIntroduction, jobReport, USAGE } from "./words.ts";
import { WORK_AGENTS } from "./work.ts";

const PROGRAMS = dirname(process.argv[1] ?? ".");
const PROGRAM = join(PROGRAMS, "loopx.cjs");
const FIRST_TEAM: Team = { session: "demo", agents: WORK_AGENTS };
const SECOND_TEAM: Team = { session: "demo-rest", agents: WORK_AGENTS.slice(0, 2) };
const SIGNALS: readonly TeamSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

const OPTIONS = ["--once", "--keep"];

async function demonstrate(given: readonly string[]): Promise<number> {
  const stranger = given.find((option) => !OPTIONS.includes(option));
  if (stranger !== undefined) {
    console.error(`There is no option ${stranger}.\n\n${USAGE}`);
    return 2;
  }
  const interrupted = interruption();
  const sample = makeSample(now());
  const work = makeWork(join(PROGRAMS, "../src/surfaces/demo/project"));
  try {
    process.stdout.write(introduction(sample.folder));
    const wrong = await look(sample);
    for (const difference of wrong) console.error(`Not as expected: ${difference}.`);
    if (wrong.length > 0) return 1; // (N2)
    process.stdout.write(jobIntroduction(work.folder));
    if (given.includes("--once")) return await workOnce(work);
    await workAndServe({ sample, work }, interrupted);
    return 0;
  } finally {
    if (!given.includes("--keep")) for (const project of [sample, work]) project.remove(); // (N1)
  }
}

/** N2. */
async function workOnce(work: SampleProject): Promise<number> {
  return await withJob(work, async (job) => {
    const outcome = await workOff(job, work, FIRST_TEAM);
    return outcome?.left.length === 0 ? 0 : 1;
  });
}

/** The server is there from the start; after the answer a second team does the rest. */
async function workAndServe(
  { sample, work }: { readonly sample: SampleProject; readonly work: SampleProject },
  interrupted: AbortSignal,
): Promise<void> {
  await withServer(work, interrupted, async () => {
    await withJob(work, async (job) => {
      const outcome = await workOff(job, work, FIRST_TEAM);
      process.stdout.write(hints({ folder: sample.folder, program: PROGRAM }));
      if (outcome === null || outcome.waiting.length === 0 || !(await gateAnswered(job, interrupted))) return;
      process.stdout.write("\nAnswered: the team goes on.\n\n");
      await workOff(job, work, SECOND_TEAM);
      process.stdout.write("\nThe status is served until Ctrl-C.\n");
    });
  });
}

/** A team until nothing more can be done; null: it did not end well. */
async function workOff(job: Job, work: SampleProject, team: Team): Promise<Outcome | null> {
  const ending = await runJob(job, team);
  if (ending !== "clean") {
    console.error(`The team was ended: ${ending}.`);
    return null;
  }
  const outcome = await outcomeOf(job);
  process.stdout.write(jobReport(outcome, { ...work, program: PROGRAM }));
  for (const id of outcome.left) console.error(`Not done: ${id}.`);
  return outcome;
}

async function withJob<T>(work: SampleProject, use: (job: Job) => Promise<T>): Promise<T> {
  const composed = compose(settingsFor(work));
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  const screen = { isTerminal: process.stdout.isTTY === true, write, now };
  try {
    return await use({ app: composed.app, screen, folder: work.folder, onSignal });
  } finally {
    await composed.close();
  }
}

/** The status, as it is printed; what differs from what was put there. */
async function look(project: SampleProject): Promise<readonly string[]> {
  const composed = compose(settingsFor(project));
  try {
    const status = answerOf(await composed.app.status(WHOLE_STATUS));
    process.stdout.write(answered("loopx status", statusPage(status, { now: now(), rows: "screen" })));
    const drift = answerOf(await composed.app.drift({ goalId: null, fix: false, dryRun: false }));
    return differences({ goal_count: status.goal_count, drift: drift.drift });
  } finally {
    await composed.close();
  }
}

const WHOLE_STATUS: Parameters<App["status"]>[0] = {
  goalId: null,
  agentId: null,
  limit: null,
  cursor: null,
  all: false,
  fields: [],
  cacheTtlSeconds: null,
  clearCache: false,
};

/** Ends when `interrupted` says so, and `work` has ended. */
async function withServer(work: SampleProject, interrupted: AbortSignal, use: () => Promise<void>): Promise<void> {
  const { serve } = await import("../http/main.ts");
  const request = {
    host: "127.0.0.1",
    port: null,
    path: null,
    intervalSeconds: 2,
    globalRegistry: false,
    requireToken: false,
    allowHosts: [],
  };
  const failed = new AbortController();
  let used: Promise<void> = Promise.resolve();
  const show = async (shown: { readonly markdown: () => string }): Promise<void> => {
    process.stdout.write(`${shown.markdown()}\n`);
    used = use();
    used.catch(() => failed.abort());
  };
  answerOf(
    await serve(request, { settings: settingsFor(work), interrupted: AbortSignal.any([interrupted, failed.signal]), show }),
  );
  await used;
}

function settingsFor({ folder, registry }: SampleProject): ComposeOptions {
  return {
    registry,
    runtimeRoot: null,
    cwd: folder,
    env: process.env,
    log: { level: "warn", file: null, echo: null, correlation: `demo-${process.pid}` },
    progress: { report: () => undefined },
    program: [process.execPath, PROGRAM],
  };
}

/** Ctrl-C, a closed terminal, a reader that went away. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  process.stdout.on("error", stop);
  return controller.signal;
}

function onSignal(listener: (signal: TeamSignal) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

function now(): Instant {
  const instant = instantFromEpoch(Date.now());
  if (instant === null) throw new Error("This machine's clock shows no usable time.");
  return instant;
}

void demonstrate(process.argv.slice(2)).then(
  (exit) => {
    process.exitCode = exit;
  },
  (error: unknown) => {
    console.error(`The demonstration failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  },
);
