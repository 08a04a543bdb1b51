/**
 * The demonstration behind `npm start`: makes a sample project, looks at it, and serves it until it is stopped.
 *
 * Does not own: what is in the project (`sample.ts`), what is said (`words.ts`), any rule of LoopX.
 *
 * N1  The project is removed at every end, unless `--keep` was given.
 * N2  `--once` ends with 0 when LoopX sees what was put there, else with 1 and what differs.
 */
import { dirname, join } from "node:path";
import type { App } from "../../commands/app.ts";
import { type ComposeOptions, compose } from "../../compose.ts";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import type { Reply } from "../../core/result.ts";
import { driftPage } from "../../core/show/markdown/drift.ts";
import { statusPage } from "../../core/show/markdown/status.ts";
import { makeSample, type SampleProject } from "./make-sample.ts";
import { differences } from "./picture.ts";
import { answered, hints, introduction, USAGE } from "./words.ts";

const OPTIONS = ["--once", "--keep"];

async function demonstrate(given: readonly string[]): Promise<number> {
  const stranger = given.find((option) => !OPTIONS.includes(option));
  if (stranger !== undefined) {
    console.error(`There is no option ${stranger}.\n\n${USAGE}`);
    return 2;
  }
  const interrupted = interruption();
  const project = makeSample(now());
  try {
    process.stdout.write(introduction(project.folder));
    const wrong = await look(project);
    for (const difference of wrong) console.error(`Not as expected: ${difference}.`);
    if (given.includes("--once") || wrong.length > 0) return wrong.length === 0 ? 0 : 1; // (N2)
    await serve(project, interrupted);
    return 0;
  } finally {
    if (!given.includes("--keep")) project.remove(); // (N1)
  }
}

/** Status and drift, as they are printed; what differs from what was put there. */
async function look(project: SampleProject): Promise<readonly string[]> {
  const composed = compose(settingsFor(project));
  try {
    const status = answerOf(await composed.app.status(WHOLE_STATUS));
    process.stdout.write(answered("loopx status", statusPage(status, { now: now(), rows: "screen" })));
    const drift = answerOf(await composed.app.drift({ goalId: null, fix: false, dryRun: false }));
    process.stdout.write(answered("loopx drift", driftPage(drift, { now: now(), rows: "screen" })));
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

async function serve(project: SampleProject, interrupted: AbortSignal): Promise<void> {
  const { serve: serveStatus } = await import("../http/main.ts");
  const program = join(dirname(process.argv[1] ?? "."), "loopx.cjs");
  const request = {
    host: "127.0.0.1",
    port: null,
    path: null,
    intervalSeconds: 2,
    globalRegistry: false,
    requireToken: false,
    allowHosts: [],
  };
  const show = async (shown: { readonly markdown: () => string }): Promise<void> => {
    process.stdout.write(`\n${shown.markdown()}${hints({ folder: project.folder, program })}`);
  };
  answerOf(await serveStatus(request, { settings: settingsFor(project), interrupted, show }));
}

function settingsFor({ folder, registry }: SampleProject): ComposeOptions {
  return {
    registry,
    runtimeRoot: null,
    cwd: folder,
    env: process.env,
    log: { level: "warn", file: null, echo: null, correlation: `demo-${process.pid}` },
    progress: { report: () => undefined },
  };
}

/** Ctrl-C, a closed terminal, a reader that went away. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.stdout.on("error", stop);
  return controller.signal;
}

function answerOf<T>(reply: Reply<T>): T {
  if (reply.kind === "done") return reply.value;
  throw new Error(`${reply.message} (${reply.code})`);
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
