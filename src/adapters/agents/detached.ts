/**
 * A program that goes on when this one has ended.
 *
 * D1  It has its own session and no terminal; what it says on stderr goes to a file for its owner alone, which is begun anew.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Problem } from "../../core/result.ts";
import type { WorkerEnd } from "../../core/team/team.ts";
import type { Detached, DetachedStart } from "../../ports/team.ts";
import { codeOf, makePrivateFolder } from "./private-files.ts";

const FLAGS = constants.O_WRONLY | constants.O_TRUNC | constants.O_CREAT | constants.O_NOFOLLOW;

export const detached: Detached = { start };

async function start(
  request: DetachedStart,
): Promise<{ readonly pid: number; readonly ended: () => WorkerEnd | null } | Problem> {
  try {
    return await started(request);
  } catch (error) {
    return {
      path: request.log_path,
      code: "supervisor_not_started",
      message: `The supervisor cannot be started (${codeOf(error)}).`,
    };
  }
}

async function started({ argv: [program, ...rest], cwd, env, log_path }: DetachedStart): Promise<{
  readonly pid: number;
  readonly ended: () => WorkerEnd | null;
}> {
  makePrivateFolder(dirname(log_path));
  const log = openSync(log_path, FLAGS, 0o600);
  try {
    const child = spawn(program, rest, {
      ...{ cwd, env, detached: true, shell: false, windowsHide: true },
      stdio: ["ignore", "ignore", log],
    });
    let end: WorkerEnd | null = null;
    child.once("exit", (code, signal) => {
      end = signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal };
    });
    await once(child, "spawn");
    child.unref();
    return { pid: child.pid ?? 0, ended: () => end };
  } finally {
    closeSync(log);
  }
}
