/**
 * A host: a program that takes one turn of an agent. It is data and a parser; what runs it is the same for every host.
 *
 * Does not own: running (`commands/host-turn.ts`), processes (`ports/process.ts`), what an event leads to (`core/host`).
 *
 * H1  Nothing of a turn becomes a part of a command that a shell would read: `argv` is a list from here to the program.
 */
import type { HostEventParser } from "../core/host/host-event.ts";
import type { Silence } from "../core/host/judge-turn.ts";
import type { SaidResults } from "../core/host/result-channels.ts";
import type { RunArgv } from "../core/host/run-argv.ts";
import type { Environment, TurnNames } from "../core/host/turn-env.ts";
import type { Problem, Reply } from "../core/result.ts";

/** One bounded turn, as it is put to a host. */
export interface HostTurn extends TurnNames {
  /** The folder that the host works in. */
  readonly workspace: string;
  /** Of the todo or goal: JSON text of a list of arguments. */
  readonly run: string | null;
  /** What the agent is asked to do. */
  readonly prompt: string | null;
  /** Of an earlier turn that is taken up again. */
  readonly session_id: string | null;
}

export interface HostLimits {
  /** The longest time without output; null: as long as the turn. */
  readonly idle_ms: number | null;
  readonly hard_ms: number;
  /** Between asking a process to end and ending it. */
  readonly grace_ms: number;
}

export interface AgentHost {
  readonly name: string;
  /** Bad input when the turn has not what this host needs. */
  readonly argv: (turn: HostTurn) => Reply<RunArgv>;
  /** Names of the variables of the person's environment that it needs beside the basic ones. */
  readonly inherits: readonly string[];
  /** Variables that it gets besides. */
  readonly env: (turn: HostTurn) => Environment;
  /** Null: nothing can be read. */
  readonly stdin: (turn: HostTurn) => string | null;
  /** A new parser for each turn. */
  readonly events: () => HostEventParser;
  /** What it means that a turn ended well and said nothing. */
  readonly silence: Silence;
  readonly limits: HostLimits;
}

/** The files of a turn, and what has to be there before one begins. */
export interface TurnPlaces {
  /** Null when the folder is there and can be entered. */
  workspaceFlaw(path: string): "missing" | "not_folder" | "not_permitted" | null;
  /** As the system would find it for a process that starts in `workspace`. */
  findProgram(program: string, where: { readonly workspace: string; readonly env: Environment }): FoundProgram;
  /** Makes the folder of a result file, for its owner alone. */
  prepareResult(path: string): void;
  /** Null when nothing was handed over. */
  readResult(path: string): ReadResult | null;
  /** Whole or not at all, for its owner alone. A path that cannot be written is a problem. */
  writeResult(path: string, text: string): Problem | null;
  discardResult(path: string): void;
}

export type FoundProgram = "found" | "missing" | "not_executable";
export type ReadResult = NonNullable<SaidResults["file"]>;
