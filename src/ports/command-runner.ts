/**
 * Running one program to its end, within limits.
 *
 * Does not own: what is run and why, and what its end means (commands).
 *
 * R1  `argv` reaches the program as it is: there is no shell. Its environment is `env` and nothing else; its input is empty.
 * R2  An answer comes at the latest when the time limit, the grace and a moment for what is still in the pipes are over,
 *     whatever the program started and whoever holds its outputs.
 * R3  What the program started ends with it: all of its process group, also after an orderly end, and when this process ends.
 * R4  Of the output head and tail are kept (`core/verify/bounded-output.ts`), both streams in the order of arrival.
 */
import type { BoundedOutput } from "../core/verify/bounded-output.ts";

export interface CommandRequest {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly max_output_bytes: number;
  /** Between the request to end and the end by force. */
  readonly grace_ms?: number;
}

interface Ran {
  readonly duration_ms: number;
  readonly output: BoundedOutput;
}

export type NotStartedReason =
  /** Neither the program nor, for a script, what its first line names need be there. */
  | "program_missing"
  | "not_executable"
  | "folder_missing"
  /** Empty, with U+0000, or longer than the system takes. */
  | "unusable_arguments";

export type CommandEnd =
  | ({ readonly kind: "exited"; readonly exit_code: number } & Ran)
  /** Ended by a signal that was not ours. */
  | ({ readonly kind: "signalled"; readonly signal: string } & Ran)
  | ({ readonly kind: "timed_out" } & Ran)
  | { readonly kind: "not_started"; readonly reason: NotStartedReason; readonly message: string };

export interface CommandRunner {
  /** Throws a `Fault` when the machine cannot start any program now. */
  run(request: CommandRequest): Promise<CommandEnd>;
}
