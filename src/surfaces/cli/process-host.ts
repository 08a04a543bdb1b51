/** The real process as a `Host`, with as little of Node loaded as an invocation needs. */
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import { BUG, Fault } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { Host } from "./host.ts";
import { formOf } from "./output.ts";
import { putBug, runCli } from "./run.ts";
import { fdSink } from "./sink.ts";

export function processHost(parts: Pick<Host, "open" | "serve">): Host {
  return {
    ...parts,
    argv: process.argv.slice(2),
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    stdout: fdSink(1),
    stderr: fdSink(2),
    // `process.stdout.isTTY` would load the streams and make a pipe non-blocking for everyone who shares it.
    isTerminal: (fd) => process.getBuiltinModule("node:tty").isatty(fd),
    now,
    // `performance` would load a module of Node for it.
    elapsed: () => Number(process.hrtime.bigint() / 1000n) / 1000,
    sleep,
    onInterrupt,
    onSignal,
    every,
    lines,
    version: VERSION,
    machine: `node ${process.versions.node} ${process.platform} ${process.arch}`,
    correlation: `${Date.now().toString(36)}-${process.pid.toString(36)}`,
  };
}

/**
 * Sets the exit status when everything is written; the process then ends by itself. One that ends before is a bug, not a success:
 * the status says so from the start.
 */
export async function start(host: Host): Promise<void> {
  const out = { stdout: host.stdout, stderr: host.stderr, form: formOf(host.argv) };
  const onBug = async (thrown: unknown): Promise<void> => {
    process.exitCode = await putBug(host, out, thrown);
    await host.stderr.write("");
    process.exit();
  };
  const onDry = (): void => void onBug(new Error("The process ended without an answer."));
  process.once("uncaughtException", (thrown) => void onBug(thrown));
  process.once("beforeExit", onDry);
  process.exitCode = BUG.exit;
  process.exitCode = await runCli(host);
  process.removeListener("beforeExit", onDry);
}

function now(): Instant {
  const instant = instantFromEpoch(Date.now());
  if (instant !== null) return instant;
  throw new Fault({
    code: "clock_invalid",
    message: "This machine's clock shows no usable time",
    hint: "Set the clock of this machine",
  });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Fault({
      code: "folder_gone",
      message: "The current folder no longer exists",
      hint: "cd into a folder that exists",
      cause,
    });
  }
}

function sleep(milliseconds: number, interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    interrupted.addEventListener("abort", wake);
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function onSignal(listener: (signal: (typeof SIGNALS)[number]) => void): () => void {
  const listeners = SIGNALS.map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, listen] of listeners) process.on(signal, listen);
  return () => {
    for (const [signal, listen] of listeners) process.removeListener(signal, listen);
  };
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
}

const LONGEST_LINE = 64 * 1024;

/** The stream of stdin is loaded by those alone who read it. A line that does not end is dropped. */
function lines(onLine: (line: string) => void, onEnd: () => void): () => void {
  const { stdin } = process;
  let rest = "";
  stdin.setEncoding("utf8");
  stdin.on("data", (text: string) => {
    const parts = `${rest}${text}`.split("\n");
    rest = (parts.pop() ?? "").slice(0, LONGEST_LINE);
    for (const part of parts) onLine(part);
  });
  for (const end of ["end", "error"]) stdin.once(end, onEnd);
  return () => {
    stdin.removeAllListeners();
    stdin.on("error", () => {});
    stdin.destroy();
  };
}

/** The second signal meets no listener and ends the process at once. */
function onInterrupt(listener: () => void): () => void {
  process.once("SIGINT", listener);
  process.once("SIGTERM", listener);
  return () => {
    process.removeListener("SIGINT", listener);
    process.removeListener("SIGTERM", listener);
  };
}
