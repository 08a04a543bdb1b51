/**
 * The log: one JSON object a line, in a file that only its owner can read.
 *
 * Does not own: the level and the place (they come from the options and the environment).
 *
 * L1  Nothing is opened or created before a line at or above the level is there; a read on a read-only disk needs no log.
 * L2  The log never fails a command: what cannot be written is dropped.
 * L3  No credentials: values of fields whose name means one, and texts of the shape of one, are masked.
 * L4  The file and its one predecessor are bounded; a link in its place is not followed.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isSecretName, maskSecrets } from "../../core/secret.ts";
import type { Log, LogLevel } from "../../ports/system.ts";

export interface FileLogOptions {
  /** Null while the place is not known: lines wait, a bounded number of them. */
  readonly path: () => string | null;
  /** Null: nothing is logged. */
  readonly level: LogLevel | null;
  /** The same on every line of one invocation. */
  readonly correlation: string;
  readonly now: () => string;
  /** Gets every line as well. */
  readonly echo?: ((line: string) => void) | null;
  readonly maxBytes?: number;
}

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };
const MAX_BYTES = 1024 * 1024;
const MAX_WAITING = 200;
const MAX_TEXT = 2000;
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

export function fileLog(options: FileLogOptions): Log {
  const waiting: string[] = [];
  return {
    write: (level, event, facts = {}) => {
      if (options.level === null || RANK[level] > RANK[options.level]) return;
      const line = lineOf({ at: options.now(), level, correlation: options.correlation, event, ...facts });
      options.echo?.(line);
      waiting.push(line);
      if (waiting.length > MAX_WAITING) waiting.shift();
      const path = options.path();
      if (path !== null) append(path, waiting.splice(0).join(""), options.maxBytes ?? MAX_BYTES);
    },
  };
}

/** L3. */
function lineOf(facts: Readonly<Record<string, unknown>>): string {
  const masked = (key: string, value: unknown): unknown => {
    if (isSecretName(key)) return "***";
    return typeof value === "string" ? maskSecrets(value.slice(0, MAX_TEXT)) : value;
  };
  return `${JSON.stringify(facts, masked)}\n`;
}

/** L1, L2. */
function append(path: string, text: string, maxBytes: number): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, FLAGS, 0o600);
    try {
      writeSync(file, text);
      // (L4)
      if (fstatSync(file).size > maxBytes) renameSync(path, `${path}.1`);
    } finally {
      closeSync(file);
    }
  } catch {
    // (L2)
  }
}
