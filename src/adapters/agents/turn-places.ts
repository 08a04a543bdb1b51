/**
 * The folders and files of a turn, as they are on the disk.
 *
 * Does not own: what a result says (`core/host`), what is refused (`commands/host-turn.ts`).
 *
 * P1  A result file is read up to what a result can be, and only if it is a file: nothing makes the reader wait or fill up.
 * P2  A result that is written is there whole or not at all, for its owner alone.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Environment } from "../../core/host/turn-env.ts";
import type { Problem } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import type { FoundProgram, ReadResult, TurnPlaces } from "../../ports/agent-host.ts";
import { workspaceFlaw } from "./start-flaw.ts";

export const turnPlaces: TurnPlaces = { workspaceFlaw, findProgram, prepareResult, readResult, writeResult, discardResult };

/** More than any result has, so that one that is too long is seen to be. */
const MAX_BYTES = 64 * 1024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

function findProgram(
  program: string,
  { workspace, env }: { readonly workspace: string; readonly env: Environment },
): FoundProgram {
  if (program.includes("/")) return standingOf(resolve(workspace, program));
  const places = (env["PATH"] ?? "").split(delimiter);
  const found = places.map((place) => standingOf(resolve(workspace, place, program)));
  if (found.includes("found")) return "found";
  return found.includes("not_executable") ? "not_executable" : "missing";
}

function standingOf(path: string): FoundProgram {
  try {
    if (!statSync(path).isFile()) return "not_executable";
    accessSync(path, constants.X_OK);
    return "found";
  } catch (error) {
    return codeOf(error) === "EACCES" ? "not_executable" : "missing";
  }
}

/** P1. */
function readResult(path: string): ReadResult | null {
  try {
    const file = openSync(path, READ_FLAGS);
    try {
      if (!fstatSync(file).isFile()) return unreadable(path, "is not a file");
      const bytes = Buffer.alloc(MAX_BYTES);
      return textIn(path, bytes.subarray(0, readSync(file, bytes, 0, MAX_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return codeOf(error) === "ENOENT" ? null : unreadable(path, `cannot be read (${codeOf(error)})`);
  }
}

function textIn(path: string, bytes: Buffer): ReadResult {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return unreadable(path, "is not UTF-8");
  }
}

function unreadable(path: string, message: string): ReadResult {
  return { kind: "unreadable", problem: { path, code: "result_unreadable", message } };
}

function prepareResult(path: string): void {
  try {
    makeFolderOf(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** P2. */
function writeResult(path: string, text: string): Problem | null {
  const temporary = join(dirname(path), `.loopx-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  try {
    makeFolderOf(path);
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    renameOrRemove(temporary, path);
    return null;
  } catch (error) {
    return { path, code: "result_unwritable", message: `cannot be written (${codeOf(error)})` };
  }
}

function renameOrRemove(temporary: string, path: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Below a file there is nothing to discard, which Node says from its line 24 on only. */
function discardResult(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch (error) {
    if (codeOf(error) !== "ENOTDIR") throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): Fault {
  return new Fault({
    code: "turn_folder_unwritable",
    message: `${dirname(path)} cannot be written to (${codeOf(error)}).`,
    hint: "Check who owns the runtime root, and whether its disk is full.",
    cause: error,
  });
}

function makeFolderOf(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}
