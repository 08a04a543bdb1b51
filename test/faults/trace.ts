/**
 * Makes the world fail under a real process, at a chosen system call, with strace; and records which calls there are.
 *
 * Does not own: what must hold afterwards (the fault tests).
 *
 * F1  The calls of the main thread are numbered from 1 for each system call by itself, in the order in which they were
 *     entered; `killAt` and `failAt` count in the same way, so a traced call can be aimed at in the next run of the same program.
 * F2  The process is killed when the call is entered: the call itself has no effect.
 * F3  strace counts in every thread apart. Another thread that reaches the number first dies first: `killAt` says at which
 *     call the process died, and `killed` is true only for exit 137.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrace, type Syscall } from "./trace-text.ts";

/** Calls that change what is on a disk or promise that it stays there. */
export const WRITING: readonly string[] = [
  "write",
  "pwrite64",
  "writev",
  "pwritev",
  "fsync",
  "fdatasync",
  "sync_file_range",
  "rename",
  "renameat",
  "renameat2",
  "link",
  "linkat",
  "symlink",
  "symlinkat",
  "unlink",
  "unlinkat",
  "truncate",
  "ftruncate",
  "fallocate",
  "copy_file_range",
  "sendfile",
  "mkdir",
  "mkdirat",
  "rmdir",
  "chmod",
  "fchmod",
  "fchmodat",
];

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Milliseconds until the run is given up (60 s). */
  readonly timeout?: number;
}

export interface Run {
  /** The exit status; 128 and the number for a signal, so 137 for SIGKILL. */
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Trace extends Run {
  /** The main thread's calls, in the order in which they were entered. (F1) */
  readonly calls: readonly Syscall[];
  /** The calls of other threads and of child processes. */
  readonly otherCalls: readonly Syscall[];
}

export interface TraceOptions extends RunOptions {
  /** What to record: `WRITING` and `openat` unless given. */
  readonly syscalls?: readonly string[];
  /** How many bytes of written data to record of each call (0). */
  readonly dataBytes?: number;
}

export interface Point {
  readonly syscall: string;
  readonly ordinal: number;
}

export interface Killed extends Run {
  readonly killed: boolean;
  /** The call at which the process died. (F3) */
  readonly call: Syscall | null;
}

export interface Failure {
  readonly syscall: string;
  /** For example `ENOSPC`, `EIO`. */
  readonly errno: string;
  /** Which calls fail: a number, or strace's `FIRST..LAST`, `FIRST+`, `FIRST+STEP`. All of them unless given. */
  readonly when?: number | string;
}

/** Runs a program to its end and records its calls. */
export function traceSyscalls(argv: readonly string[], options: TraceOptions = {}): Trace {
  const { syscalls = [...WRITING, "openat"], dataBytes = 0 } = options;
  return inFolder((folder) => {
    const log = join(folder, "trace");
    const run = start(tracing(syscalls, log, ["-s", String(dataBytes)], argv), options);
    const { calls, otherCalls } = parseTrace(readFileSync(log, "latin1"), options.cwd ?? process.cwd());
    return { ...run, calls, otherCalls };
  });
}

/** Runs a program that is killed when its main thread enters the given call. (F2) */
export function killAt(argv: readonly string[], point: Point, options: RunOptions = {}): Killed {
  return inFolder((folder) => {
    const log = join(folder, "trace");
    const run = start(killing(argv, point, log), options);
    const call = killedAt(log, point, options.cwd ?? process.cwd());
    return { ...run, killed: run.exit === 128 + constants.signals.SIGKILL, call };
  });
}

/** Runs a program some of whose calls fail, without effect. */
export function failAt(argv: readonly string[], failure: Failure, options: RunOptions = {}): Run {
  return start(failing(argv, failure), options);
}

/** Runs a program on a slow disk: every sync takes that much longer. */
export function delaySync(argv: readonly string[], milliseconds: number, options: RunOptions = {}): Run {
  return start(withSlowSync(argv, milliseconds), options);
}

/** The command line of `killAt`, to be started by other means; `log` is for `killedAt`. */
export function killing(argv: readonly string[], point: Point, log: string): string[] {
  const inject = ["-e", `inject=${point.syscall}:signal=SIGKILL:when=${point.ordinal}`];
  return strace([point.syscall], log, [...inject, "-s", "0"], argv);
}

/** Which call a run of `killing` died at, null when at none. (F3) */
export function killedAt(log: string, point: Point, folder: string): Syscall | null {
  const { calls, otherCalls } = parseTrace(readFileSync(log, "latin1"), folder);
  const unfinished = [...otherCalls, ...calls].filter((call) => call.result === null);
  return unfinished.find((call) => call.ordinal === point.ordinal) ?? null;
}

/** The command line of `failAt`, to be started by other means; `log` is for `failedAt`. */
export function failing(argv: readonly string[], failure: Failure, log = "/dev/null"): string[] {
  const inject = `inject=${failure.syscall}:error=${failure.errno}`;
  if (failure.when === undefined) return tracing([failure.syscall], log, ["-e", inject], argv);
  return strace([failure.syscall], log, ["-e", `${inject}:when=${failure.when}`, "-s", "0"], argv);
}

/** Which call a run of `failing` failed at first, null when at none. */
export function failedAt(log: string, point: Point, errno: string, folder: string): Syscall | null {
  const { calls, otherCalls } = parseTrace(readFileSync(log, "latin1"), folder);
  return [...otherCalls, ...calls].find((call) => call.ordinal === point.ordinal && call.errno === errno) ?? null;
}

/** The command line of `delaySync`, to be started by other means. */
export function withSlowSync(argv: readonly string[], milliseconds: number): string[] {
  const inject = `inject=fsync,fdatasync:delay_exit=${Math.round(milliseconds * 1000)}`;
  return tracing(["fsync", "fdatasync"], "/dev/null", ["-e", inject], argv);
}

/** The points of a trace that touch a file under `folder`, in order: where a crash sweep kills. */
export function pointsUnder(trace: Trace, folder: string, syscalls: readonly string[] = WRITING): Point[] {
  return trace.calls
    .filter((call) => syscalls.includes(call.name))
    .filter((call) => call.paths.some((path) => path === folder || path.startsWith(`${folder}/`)))
    .map((call) => ({ syscall: call.name, ordinal: call.ordinal }));
}

/** Only the chosen calls stop the process: fast, but strace 6.1 does not count calls in this mode. */
function tracing(syscalls: readonly string[], log: string, more: readonly string[], argv: readonly string[]): string[] {
  return strace(syscalls, log, ["--seccomp-bpf", ...more], argv);
}

function strace(syscalls: readonly string[], log: string, more: readonly string[], argv: readonly string[]): string[] {
  // `?`: not every architecture has every call. execve makes the main thread the first in the log.
  const set = ["execve", ...syscalls].map((name) => `?${name}`).join(",");
  return ["strace", "-f", "-y", "-o", log, "-e", `trace=${set}`, "-e", "signal=none", ...more, "--", ...argv];
}

function start(argv: readonly string[], options: RunOptions): Run {
  const [program = "", ...args] = argv;
  const run = spawnSync(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    input: options.input ?? "",
    timeout: options.timeout ?? 60_000,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.error !== undefined) throw run.error;
  const exit = run.status ?? 128 + (run.signal === null ? 0 : constants.signals[run.signal]);
  return { exit, stdout: run.stdout, stderr: run.stderr };
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "loopx-trace-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
