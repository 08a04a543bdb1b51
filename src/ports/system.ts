/** The clock, randomness, digests and the log, as the use cases need them. */
import type { TodoId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";

export interface Clock {
  /** Wall time. */
  now(): Instant;
}

export interface Ids {
  /** Random, unique over all goals. */
  todoId(): TodoId;
  /** Lower-case letters and digits, at least 40 bits. */
  suffix(): string;
}

export interface Digest {
  /** Lower-case hex SHA-256 of the UTF-8 text. */
  sha256(text: string): string;
}

export type LogLevel = "error" | "warn" | "info" | "debug";

export interface Log {
  /** One event with its facts; never a secret, never the text of a state file. */
  write(level: LogLevel, event: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** Work that may take longer than a second; who is told, and how often, is the surface's. */
export interface Progress {
  /** `total` is null while it is not known; `what` is a plural noun: `goals`, `rows`. */
  report(done: number, total: number | null, what: string): void;
}
