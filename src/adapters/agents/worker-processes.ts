/**
 * Workers as processes: each in a group of its own, orders on its stdin, reports on its stdout, words on stderr to a log.
 *
 * Does not own: when one is started and what a report leads to (`core/team`), what is on the lines (`core/host/worker-protocol.ts`).
 *
 * W1  A worker whose supervisor is gone, however it went, sees the end of its orders.
 * W2  `ended` comes once, after the last report: at the end of the process, whoever still holds its pipes.
 * W3  A line that is no report goes to the log and changes nothing; reports are not logged, so that a team at rest writes nothing.
 * W4  When this process exits, its workers' groups are ended by force: after an orderly end there are none.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { OutputLine } from "../../core/host/output-stream.ts";
import { lineOf, readReport } from "../../core/host/worker-protocol.ts";
import type { WorkerEnd } from "../../core/team/team.ts";
import type { WorkerHandle, WorkerProcesses, WorkerStart, WorkerWatch } from "../../ports/team.ts";
import { GroupOutput } from "./group-output.ts";
import { TurnLog } from "./turn-log.ts";

const LINE_BYTES = 64 * 1024;

export function workerProcesses({ log_bytes }: { readonly log_bytes: number }): WorkerProcesses {
  const leaders = new Set<number>();
  const endAll = (): void => {
    for (const leader of leaders) killGroup(leader); // (W4)
  };
  return {
    start: (start, watch) => {
      if (leaders.size === 0) process.on("exit", endAll);
      const child = spawned(start);
      if (child instanceof Error) return neverStarted(child, watch);
      if (child.pid !== undefined) leaders.add(child.pid);
      child.once("exit", () => {
        if (child.pid === undefined || !leaders.delete(child.pid) || leaders.size > 0) return;
        process.off("exit", endAll);
      });
      return followed(child, { watch, log: new TurnLog(start.log_path, log_bytes) });
    },
  };
}

function spawned({ argv: [program, ...rest], cwd, env }: WorkerStart): ChildProcess | Error {
  try {
    return spawn(program, rest, {
      ...{ cwd, env, detached: true, shell: false, windowsHide: true },
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function neverStarted(error: Error, watch: WorkerWatch): WorkerHandle {
  setImmediate(() => watch.ended({ kind: "not_started", message: error.message }));
  return { tell: () => undefined, kill: () => undefined };
}

interface Following {
  readonly watch: WorkerWatch;
  readonly log: TurnLog;
}

function followed(child: ChildProcess, { watch, log }: Following): WorkerHandle {
  const { stdin, stdout, stderr } = child;
  // One that ends without reading has said so by ending.
  stdin?.on("error", () => undefined);
  child.once("spawn", () => watch.started(child.pid ?? 0));
  const ended = endOf(child);
  if (stdout !== null && stderr !== null) void listen({ out: stdout, err: stderr, ended }, { watch, log });
  return {
    tell: (order) => void stdin?.write(lineOf(order)),
    kill: () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
    },
  };
}

interface Outputs {
  readonly out: Readable;
  readonly err: Readable;
  readonly ended: Promise<WorkerEnd>;
}

async function listen({ out, err, ended }: Outputs, { watch, log }: Following): Promise<void> {
  const output = new GroupOutput(
    { out, err },
    {
      limits: { idle_ms: null, hard_ms: 0, grace_ms: 0, line_bytes: LINE_BYTES, output_bytes: Number.MAX_SAFE_INTEGER },
      onLine: (line, source) => {
        if (source === "out") onReport(line, { watch, log });
      },
      onBroken: (error) => {
        throw error;
      },
      log: {
        write: (line, source) => {
          if (source === "err") log.write(line, source); // (W3)
        },
        get isBehind() {
          return log.isBehind;
        },
        caughtUp: () => log.caughtUp(),
      },
    },
  );
  const end = await ended;
  await output.drain();
  await log.close();
  watch.ended(end); // (W2)
}

/** W3. */
function onReport(line: OutputLine, { watch, log }: Following): void {
  const report = readReport(line.text);
  if (report.kind === "done") watch.report(report.value);
  else log.write(line, "out");
}

function endOf(child: ChildProcess): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ kind: "not_started", message: error.message });
    });
    child.once("exit", (code, signal) => {
      resolve(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal });
    });
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has ended since.
  }
}
