/** What a command is, as data, and what its adapter gets and gives. */
import type { App } from "../../commands/app.ts";
import type { Instant } from "../../core/instant.ts";
import type { Reply } from "../../core/result.ts";
import type { Options } from "./given.ts";
import { GLOBAL_OPTIONS, type OptionName } from "./options.ts";

export interface OptionUse {
  readonly name: OptionName;
  readonly required?: true;
  /** A text that may be given several times: a list. */
  readonly repeatable?: true;
  /** Where the general text of the option is not precise enough. */
  readonly about?: string;
}

export interface CommandSpec {
  readonly path: readonly string[];
  /** Other paths that mean the same command. */
  readonly aliases?: readonly (readonly string[])[];
  /** A command of the reference that has a newer name here: the overview only mentions it. */
  readonly reference?: true;
  readonly summary: string;
  readonly example: string;
  readonly options: readonly (OptionName | OptionUse)[];
  /** Options of the reference that are accepted and change nothing. */
  readonly without_effect?: readonly OptionName[];
  /** The option that a word on its own stands for. */
  readonly positional?: OptionName;
  readonly load: () => Promise<Run>;
}

/** An adapter: options to a request, the answer to its two forms; null or `Told` when all has been shown already. */
export type Run = (context: Context, options: Options) => Promise<Reply<Shown | Told | null>>;

/** All has been shown already. */
export interface Told {
  readonly exit: number;
}

/** One answer in both forms. */
export interface Shown {
  /** Printed as it is by `--json`; `ok: false` in it makes the exit status 1. */
  readonly payload: object;
  readonly markdown: () => string;
  /** Where it is not what `ok` says. */
  readonly exit?: number;
  /** Called when every byte has been written. */
  readonly shown?: () => void;
  /** In JSON one line, because it ends a list of lines. */
  readonly form?: "line";
}

/** For a command that goes on for long: what it shows meanwhile, and the signals that it answers itself. */
export interface Stage {
  readonly form: "markdown" | "json";
  /** Whether it may paint over what it has shown. */
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void) => () => void;
  /** Until the answer is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
}

/** What an adapter may touch. Nothing is opened before `app()` is called. */
export interface Context {
  readonly app: () => Promise<App>;
  /** Shows each answer of `round` that differs from the last, until it is interrupted or the first one is a no. */
  readonly watch: (seconds: number, round: () => Promise<Reply<Shown>>) => Promise<Reply<null>>;
  /** Does work that is told of and ordered while it goes on. */
  readonly live: <T>(work: (live: Live) => Promise<T>) => Promise<T>;
  /** Serves until it is interrupted; says where through `show`. */
  readonly serve: (request: ServeRequest) => Promise<Reply<null>>;
  readonly stage: () => Stage;
  /** For ages in answers for people. */
  readonly now: () => Instant;
  readonly version: string;
  readonly cwd: string;
  /** Node and platform. */
  readonly machine: string;
}

export interface Live {
  readonly interrupted: AbortSignal;
  /** Whole lines on stdout. */
  readonly write: (text: string) => Promise<void>;
  /** For people who watch; dropped where nobody does. */
  readonly note: (text: string) => void;
  /** Lines of stdin, until the answer is called; `onEnd` when there will be no more. */
  readonly lines: (onLine: (line: string) => void, onEnd: () => void) => () => void;
}

export interface ServeRequest {
  readonly host: string;
  /** Null: 8765, or the next free one. */
  readonly port: number | null;
  readonly path: string | null;
  readonly intervalSeconds: number;
  readonly globalRegistry: boolean;
  readonly requireToken: boolean;
  readonly allowHosts: readonly string[];
}

export function useOf(option: OptionName | OptionUse): OptionUse {
  return typeof option === "string" ? { name: option } : option;
}

export function commandName(spec: Pick<CommandSpec, "path">): string {
  return spec.path.join(" ");
}

/** Every option that may stand beside the command. */
export function accepted(spec: CommandSpec): readonly OptionName[] {
  return [...spec.options.map((option) => useOf(option).name), ...(spec.without_effect ?? []), ...GLOBAL_OPTIONS];
}
