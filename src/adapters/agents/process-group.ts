/**
 * Runs a program in a process group of its own, and answers when it and everything that it started has ended.
 *
 * Does not own: what its output means (`core/host`), what is written of it (`turn-log.ts`).
 *
 * G1  No shell: the arguments go to the program as they are. Its environment is what was given, nothing else.
 * G2  The group is asked to end, and after the grace made to: at the idle limit, at the hard limit, and when it is asked for.
 * G3  When the program has ended, what it left behind is ended too: its group, and whatever carries the marks.
 * G4  It always answers: neither a pipe that somebody holds nor a process that the system cannot end makes it wait for ever.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { ProcessEnd } from "../../core/host/process-end.ts";
import type { GroupRequest, GroupRun, ProcessGroups } from "../../ports/process.ts";
import { endProcesses } from "./end-processes.ts";
import { GroupOutput } from "./group-output.ts";
import { GroupStop } from "./group-stop.ts";
import { type ProcessSearch, processSearch } from "./process-search.ts";
import { notStarted } from "./start-flaw.ts";
import { TurnLog } from "./turn-log.ts";

export interface GroupOptions {
  /** Of a log and its predecessor, each. */
  readonly log_bytes: number;
  readonly search?: ProcessSearch;
}

export function processGroups({ log_bytes, search = processSearch() }: GroupOptions): ProcessGroups {
  return {
    run: async (request) => {
      if (request.signal.aborted) return { kind: "ran", end: { kind: "aborted" }, ...NOTHING_RAN };
      const begun = performance.now();
      const child = await started(request);
      if (child instanceof Error) return notStarted(child, request.cwd);
      const run = await follow(child, { request, search, log_bytes });
      return { kind: "ran", ...run, wall_ms: Math.round(performance.now() - begun) };
    },
    sweep: (marks, grace_ms) => endProcesses({ search, wanted: { group: null, marks }, grace_ms }),
  };
}

const NOTHING_RAN = { wall_ms: 0, dropped_bytes: 0, swept: 0, log_flaw: null } as const;

interface Started {
  readonly pid: number;
  readonly out: Readable;
  readonly err: Readable;
  readonly exited: Promise<ProcessEnd>;
}

/** G1. */
async function started({ argv: [program, ...rest], cwd, env, stdin }: GroupRequest): Promise<Started | Error> {
  try {
    const child = spawn(program, rest, {
      ...{ cwd, env, detached: true, shell: false, windowsHide: true },
      stdio: [stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    // A program that does not read what it is given has said so by ending.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
    const exited = exitOf(child);
    await once(child, "spawn");
    const { pid, stdout, stderr } = child;
    if (pid === undefined || stdout === null || stderr === null) return new Error("a process without number or pipes");
    return { pid, out: stdout, err: stderr, exited };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal });
    });
  });
}

interface Following {
  readonly request: GroupRequest;
  readonly search: ProcessSearch;
  readonly log_bytes: number;
}

async function follow(child: Started, { request, search, log_bytes }: Following): Promise<Omit<GroupRun, "kind" | "wall_ms">> {
  const { pid } = child;
  const { limits, signal, marks, log_path } = request;
  const log = log_path === null ? null : new TurnLog(log_path, log_bytes);
  const thrown: unknown[] = [];
  const onBroken = (error: unknown): void => {
    thrown.push(error);
    stop.stop("aborted");
  };
  const output = new GroupOutput(child, { limits, onLine: request.onLine, onBroken, log });
  const stop = new GroupStop({ pid, limits, signal, quietFor: () => output.quietFor }); // (G2)
  const end = await stop.until(child.exited);
  const swept = await endProcesses({ search, wanted: { group: pid, marks }, grace_ms: stop.graceLeft }); // (G3)
  await output.drain(); // (G4)
  const log_flaw = (await log?.close()) ?? null;
  if (thrown.length > 0) throw thrown[0];
  return { end, dropped_bytes: output.dropped, swept, log_flaw };
}
