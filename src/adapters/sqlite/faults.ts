/**
 * What an error of the engine or of the file system means to the person who meets it.
 *
 * Does not own: waiting while the store is busy (`busy.ts`).
 */
import { Fault } from "../../errors.ts";

const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
const ENOSPC = 28;

/** The engine's primary result code; null when `error` is not the engine's. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode & 0xff;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** The error code of a file operation, for example `EROFS`. */
export function fileCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The fault behind an engine's or a file's error; anything else comes back as it is, for it is a bug. */
export function faultOf(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  return engineFault(error, path) ?? fileFault(error, path) ?? error;
}

function engineFault(cause: unknown, path: string): Fault | null {
  const code = sqliteCode(cause);
  const detail = cause instanceof Error ? cause.message : "";
  if (code === FULL || (code === IO_ERROR && systemErrno(cause) === ENOSPC)) return diskFull(path, cause);
  if (code === IO_ERROR) return ioError(path, cause);
  if (isDamage(cause)) return damaged(path, detail, cause);
  if (code === READ_ONLY) return readOnly(path, cause);
  if (code === CANNOT_OPEN) return unopenable(path, detail, cause);
  return null;
}

function systemErrno(error: unknown): unknown {
  return error instanceof Error && "systemErrno" in error ? error.systemErrno : null;
}

function fileFault(cause: unknown, path: string): Fault | null {
  const code = fileCode(cause);
  const detail = cause instanceof Error ? cause.message : "";
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(path, cause);
  if (code === "EIO") return ioError(path, cause);
  if (code === "EROFS") return readOnly(path, cause);
  if (code !== null && /^E[A-Z]+$/.test(code)) return unopenable(path, detail, cause);
  return null;
}

export function damaged(path: string, detail: string, cause?: unknown): Fault {
  return new Fault({
    code: "store_damaged",
    message: `The store ${path} is damaged: ${detail}.`,
    hint: "Run `loopx doctor` to see what is left of it; do not delete it.",
    cause,
  });
}

export function readOnly(path: string, cause?: unknown): Fault {
  return new Fault({
    code: "read_only",
    message: `The store ${path} cannot be written: it is only open for reading here.`,
    hint: "Make its folder writable, or name another one with --runtime-root.",
    cause,
  });
}

export function unopenable(path: string, detail: string, cause?: unknown): Fault {
  return new Fault({
    code: "store_unopenable",
    message: `The store ${path} cannot be opened: ${detail}.`,
    hint: "Check that this user may read and write the file and its folder.",
    cause,
  });
}

function diskFull(path: string, cause: unknown): Fault {
  return new Fault({
    code: "disk_full",
    message: `No space is left for the store ${path}; nothing of this command was stored.`,
    hint: "Free some space on that disk and repeat the command.",
    cause,
  });
}

function ioError(path: string, cause: unknown): Fault {
  return new Fault({
    code: "io_error",
    message: `The disk failed under the store ${path}; nothing of this command was stored.`,
    hint: "Check the disk, then repeat the command.",
    cause,
  });
}
