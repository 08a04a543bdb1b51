/** The process as the command line sees it; `main.ts` is the real one, tests bring their own. */
import type { App } from "../../commands/app.ts";
import type { Instant } from "../../core/instant.ts";
import type { Reply } from "../../core/result.ts";
import type { Log, LogLevel, Progress } from "../../ports/system.ts";
import type { ServeRequest, Shown } from "./command.ts";
import type { Sink } from "./sink.ts";

export interface Host {
  /** Without node and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Whether people watch; asked late, because finding out costs. */
  readonly isTerminal: (fd: 1 | 2) => boolean;
  readonly now: () => Instant;
  /** Milliseconds, never backwards. */
  readonly elapsed: () => number;
  /** Ends early when `interrupted` aborts. */
  readonly sleep: (milliseconds: number, interrupted: AbortSignal) => Promise<void>;
  /** Calls `listener` at the first SIGINT or SIGTERM; the answer takes it back. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls `listener` at each of these signals, which then end nothing by themselves; the answer takes it back. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void) => () => void;
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Lines of stdin, until the answer is called. */
  readonly lines: (onLine: (line: string) => void, onEnd: () => void) => () => void;
  readonly open: (settings: Settings) => Promise<Opened>;
  readonly serve: (request: ServeRequest, serving: Serving) => Promise<Reply<null>>;
  readonly version: string;
  /** Names this invocation in the log and in the report of a bug. */
  readonly correlation: string;
  /** Node and platform. */
  readonly machine: string;
}

/** What the options and the environment say about where to work and how to tell. */
export interface Settings {
  readonly registry: string | null;
  readonly runtimeRoot: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: LogSettings;
  readonly progress: Progress;
}

export interface LogSettings {
  /** Null: nothing is logged. */
  readonly level: LogLevel | null;
  /** Null: `logs/loopx.log` under the runtime root. */
  readonly file: string | null;
  /** Also to people, with `--verbose`. */
  readonly echo: ((line: string) => void) | null;
  /** The same on every line of one invocation. */
  readonly correlation: string;
}

export interface Opened {
  readonly app: App;
  readonly log: Log;
  close(): Promise<void>;
}

export interface Serving {
  readonly settings: Settings;
  readonly interrupted: AbortSignal;
  /** Says where it listens. */
  readonly show: (shown: Shown) => Promise<void>;
}
