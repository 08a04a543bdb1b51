/**
 * Makes a share of a process's file operations fail at random, with libfiu's `fiu-run`. For a failure at a chosen call see
 * `trace.ts`.
 *
 * `posix/io/rw/write` also fails the writes by which Node's threads wake each other, and Node then aborts: a test that needs
 * the process to live fails `posix/io/rw/pwrite` and `posix/io/sync/fsync`.
 */
import { constants } from "node:os";

export interface RandomFailure {
  /** A failure point of libfiu, for example `posix/io/rw/pwrite`, `posix/io/sync/fsync`, `posix/io/oc/open`. */
  readonly point: string;
  /** From 0 to 1. */
  readonly probability: number;
  readonly errno: keyof typeof constants.errno;
}

/** The command line that runs `argv` in a process whose file operations fail. */
export function failingAtRandom(argv: readonly string[], failures: readonly RandomFailure[]): string[] {
  const controls = failures.flatMap(({ point, probability, errno }) => [
    "-c",
    `enable_random name=${point},probability=${probability},failinfo=${constants.errno[errno]}`,
  ]);
  return ["fiu-run", "-x", ...controls, ...argv];
}
