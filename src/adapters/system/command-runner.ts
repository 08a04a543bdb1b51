/**
 * The `CommandRunner` port on the processes of this machine.
 *
 * Does not own: ending what is left when this process ends (`process-groups.ts`).
 *
 * Limits: a program that leaves its process group (`setsid`) cannot be ended with it, it only cannot hold up the answer. The
 * two outputs are two pipes: what is written to them at nearly the same time may change places.
 */
import type { ChildProcess } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { type BoundedOutput, keepOutput, type OutputKeeper } from "../../core/verify/bounded-output.ts";
import { Fault } from "../../errors.ts";
import type { CommandEnd, CommandRequest, CommandRunner, NotStartedReason } from "../../ports/command-runner.ts";
import { holdGroup, signalGroup } from "./process-groups.ts";

const GRACE_MS = 2000;
/** How long what is in the pipes may take to arrive once the program has ended. */
const DRAIN_MS = 250;
/** How long the system may take to end it by force: a process that waits for a dead disk cannot be ended at all. */
const STUCK_MS = 5000;

export const systemCommands: CommandRunner = { run };

type NotStarted = Extract<CommandEnd, { kind: "not_started" }>;
type Ending = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

async function run(request: CommandRequest): Promise<CommandEnd> {
  const problem = folderProblem(request.cwd) ?? argumentProblem(request.argv);
  if (problem !== null) return problem;
  const begun = performance.now();
  const output = keepOutput(request.max_output_bytes);
  let child: ChildProcess;
  try {
    child = await started(request, output);
  } catch (error) {
    return notStarted(error, request);
  }
  const { ending, timedOut } = await supervised(child, request);
  const ran = { duration_ms: Math.round(performance.now() - begun), output: output.kept() };
  return endOf(ending, timedOut, ran);
}

function endOf(
  { code, signal }: Ending,
  timedOut: boolean,
  ran: { readonly duration_ms: number; readonly output: BoundedOutput },
): CommandEnd {
  if (timedOut) return { kind: "timed_out", ...ran };
  return code === null ? { kind: "signalled", signal: signal ?? "SIGKILL", ...ran } : { kind: "exited", exit_code: code, ...ran };
}

/** R1. Rejects with the system's error when the program cannot be started. */
async function started({ argv, cwd, env }: CommandRequest, output: OutputKeeper): Promise<ChildProcess> {
  const { spawn } = await import("node:child_process");
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd, env, shell: false, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (chunk: Buffer) => output.add(chunk)); // (R4)
  child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(child));
  });
}

interface Supervised {
  readonly ending: Ending;
  readonly timedOut: boolean;
}

/** R2, R3. */
async function supervised(child: ChildProcess, request: CommandRequest): Promise<Supervised> {
  const leader = child.pid ?? 0;
  const release = holdGroup(leader);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = new Promise<Ending>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  try {
    const inTime = await within(request.timeout_ms, exited);
    const ending = inTime ?? (await endedByForce(leader, exited, request.grace_ms ?? GRACE_MS));
    signalGroup(leader, "SIGKILL"); // (R3)
    await within(DRAIN_MS, closed);
    return { ending, timedOut: inTime === null };
  } finally {
    child.stdout?.destroy();
    child.stderr?.destroy();
    release();
  }
}

async function endedByForce(leader: number, exited: Promise<Ending>, grace: number): Promise<Ending> {
  signalGroup(leader, "SIGTERM");
  const gentle = await within(grace, exited);
  if (gentle !== null) return gentle;
  signalGroup(leader, "SIGKILL");
  return (await within(STUCK_MS, exited)) ?? { code: null, signal: "SIGKILL" };
}

/** Null when the time is over first. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

function refusal(reason: NotStartedReason, message: string): NotStarted {
  return { kind: "not_started", reason, message };
}

/** The system says "no such file" of a folder and of a program alike. */
function folderProblem(cwd: string): NotStarted | null {
  try {
    if (!statSync(cwd).isDirectory()) return refusal("folder_missing", `${cwd} is no folder`);
    accessSync(cwd, constants.X_OK);
    return null;
  } catch {
    return refusal("folder_missing", `${cwd} is not there, or may not be entered`);
  }
}

function argumentProblem(argv: readonly string[]): NotStarted | null {
  if (argv[0] === undefined || argv[0] === "") return refusal("unusable_arguments", "there is no program to run");
  if (argv.some((argument) => argument.includes("\0"))) return refusal("unusable_arguments", "an argument has U+0000 in it");
  return null;
}

const REASONS: Readonly<Record<string, readonly [reason: NotStartedReason, saying: string]>> = {
  ENOENT: ["program_missing", "is not there, or what the first line of the script names is not"],
  ENOTDIR: ["program_missing", "has a file in the place of a folder on its path"],
  ELOOP: ["program_missing", "is a symlink that leads nowhere"],
  ENAMETOOLONG: ["program_missing", "has a name that is too long"],
  EACCES: ["not_executable", "may not be run"],
  EPERM: ["not_executable", "may not be run"],
  EISDIR: ["not_executable", "is a folder"],
  ENOEXEC: ["not_executable", "is no program of this machine"],
  E2BIG: ["unusable_arguments", "was given more arguments than the system takes"],
};

function notStarted(error: unknown, { argv, cwd }: CommandRequest): NotStarted {
  const gone = folderProblem(cwd);
  if (gone !== null) return gone;
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  const known = REASONS[code ?? ""];
  if (known !== undefined) return refusal(known[0], `${argv[0]} ${known[1]}`);
  if (code === null) throw error;
  const hint = "too many processes, files or too little memory: try again when the machine has less to do";
  throw new Fault({ code: "process_not_started", message: `${argv[0]} cannot be started: ${code}`, hint, cause: error });
}
