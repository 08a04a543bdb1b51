/**
 * The output of a running program: to lines, to the log, to whoever listens.
 *
 * Does not own: when the program ends (`process-group.ts`).
 *
 * O1  While the log is behind, nothing more is read: the program waits at its pipe, and no memory grows.
 * O2  The end of the program does not wait for the end of its pipes: after a short quiet they are let go, whoever holds them.
 */
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { OutputSource } from "../../core/host/host-event.ts";
import { type OutputLine, OutputSplitter } from "../../core/host/output-stream.ts";
import type { GroupRequest } from "../../ports/process.ts";
import type { TurnLog } from "./turn-log.ts";

const QUIET_MS = 100;
const LONGEST_DRAIN_MS = 5000;

export interface OutputPipes {
  readonly out: Readable;
  readonly err: Readable;
}

export interface OutputListener extends Pick<GroupRequest, "limits" | "onLine"> {
  /** What `onLine` threw. It is not called again. */
  readonly onBroken: (error: unknown) => void;
  readonly log: KeptOutput | null;
}

/** What the output needs of a log. */
export type KeptOutput = Pick<TurnLog, "write" | "isBehind" | "caughtUp">;

export class GroupOutput {
  readonly #pipes: OutputPipes;
  readonly #listener: OutputListener;
  readonly #splitters: Readonly<Record<OutputSource, OutputSplitter>>;
  #open = 2;
  #paused = false;
  #lastAt = performance.now();
  #broken = false;
  #closed: () => void = () => {};
  readonly #allClosed: Promise<void>;

  constructor(pipes: OutputPipes, listener: OutputListener) {
    this.#pipes = pipes;
    this.#listener = listener;
    const { line_bytes, output_bytes } = listener.limits;
    const splitter = (): OutputSplitter => new OutputSplitter({ line_bytes, total_bytes: output_bytes }, lossyDecoder());
    this.#splitters = { out: splitter(), err: splitter() };
    this.#allClosed = new Promise((resolve) => {
      this.#closed = resolve;
    });
    this.#follow("out");
    this.#follow("err");
  }

  get dropped(): number {
    return this.#splitters.out.dropped + this.#splitters.err.dropped;
  }

  /** Milliseconds since something was printed; 0 while it is we who do not read. */
  get quietFor(): number {
    return this.#paused ? 0 : performance.now() - this.#lastAt;
  }

  /** O2. Reads what is left in the pipes, and gives the last lines. */
  async drain(): Promise<void> {
    const begun = performance.now();
    this.#lastAt = begun;
    let closed = false;
    const closing = this.#allClosed.then(() => {
      closed = true;
    });
    while (!closed && this.quietFor < QUIET_MS && performance.now() - begun < LONGEST_DRAIN_MS) {
      const timer = new AbortController();
      await Promise.race([closing, sleep(QUIET_MS - this.quietFor + 1, null, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
    }
    this.#pipes.out.destroy();
    this.#pipes.err.destroy();
    for (const source of ["out", "err"] as const) this.#pass(this.#splitters[source].end(), source);
  }

  #follow(source: OutputSource): void {
    const pipe = this.#pipes[source];
    pipe.on("data", (bytes: Buffer) => {
      this.#lastAt = performance.now();
      this.#pass(this.#splitters[source].feed(bytes), source);
      const { log } = this.#listener;
      if (log?.isBehind === true && !this.#paused) void this.#waitForLog(log);
    });
    // A pipe that breaks has ended.
    pipe.on("error", () => {});
    pipe.on("close", () => {
      this.#open -= 1;
      if (this.#open === 0) this.#closed();
    });
  }

  #pass(lines: readonly OutputLine[], source: OutputSource): void {
    for (const line of lines) {
      this.#listener.log?.write(line, source);
      if (!this.#broken) this.#tell(line, source);
    }
  }

  #tell(line: OutputLine, source: OutputSource): void {
    try {
      this.#listener.onLine(line, source);
    } catch (error) {
      this.#broken = true;
      this.#listener.onBroken(error);
    }
  }

  /** O1. */
  async #waitForLog(log: KeptOutput): Promise<void> {
    this.#paused = true;
    this.#pipes.out.pause();
    this.#pipes.err.pause();
    await log.caughtUp();
    this.#paused = false;
    this.#lastAt = performance.now();
    this.#pipes.out.resume();
    this.#pipes.err.resume();
  }
}

function lossyDecoder(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => decoder.decode(bytes);
}
