/**
 * Why a program could not be started, from what the system says.
 *
 * Does not own: looking before (`turn-places.ts`); between the look and the start all can change.
 *
 * S1  The system has one word for a program and for a folder that are not there: the folder is looked at again.
 */
import { accessSync, constants, statSync } from "node:fs";
import type { NotStarted } from "../../core/host/process-end.ts";
import { Fault } from "../../errors.ts";

const WHY: Readonly<Record<string, NotStarted["why"]>> = {
  ENOENT: "program_missing",
  ENOTDIR: "program_missing",
  ELOOP: "program_missing",
  ENAMETOOLONG: "program_missing",
  EACCES: "not_executable",
  EPERM: "not_executable",
  EISDIR: "not_executable",
  ENOEXEC: "not_executable",
  E2BIG: "too_long",
};

/** A machine that cannot start any process now is a fault. */
export function notStarted(error: Error, cwd: string): NotStarted {
  const code = "code" in error ? String(error.code) : "";
  const why = WHY[code];
  if (why === undefined) {
    throw new Fault({
      code: "process_unavailable",
      message: `No process can be started now (${code || error.message}).`,
      hint: "The machine may be out of memory or processes: start fewer agents.",
      cause: error,
    });
  }
  const place = why === "program_missing" || why === "not_executable" ? workspaceFlaw(cwd) : null;
  return { kind: "not_started", why: place === null ? why : "workspace_missing" }; // (S1)
}

/** Null when the folder is there and can be entered. */
export function workspaceFlaw(path: string): "missing" | "not_folder" | "not_permitted" | null {
  try {
    if (!statSync(path).isDirectory()) return "not_folder";
    accessSync(path, constants.X_OK | constants.R_OK);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES" ? "not_permitted" : "missing";
  }
}
