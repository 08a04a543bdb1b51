/**
 * The `Tools` port: programs as the files they are.
 *
 * T1  A program is found as the system finds it: by `PATH`, or from the working folder when its name has a `/`.
 * T2  What stands for it is its real path, size, times and inode: an upgrade changes these, and no program is run to ask it.
 */
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { ToolPlace, Tools } from "../../ports/tools.ts";

const SETTLE_MS = 2000;
const FIRST_LINE_BYTES = 256;
const ENV = "env";
/** A script whose interpreter is a script, and so on. */
const MOST_INTERPRETERS = 4;

export function systemTools(now: () => number = Date.now): Tools {
  return {
    identify: (program, place) => {
      const found: Record<string, string> = { platform: `${process.platform} ${process.arch}` };
      const waiting = [program];
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        const path = pathOf(name, place);
        const identity = path === null ? null : identityOf(path, now());
        if (path === null || identity === null || Object.keys(found).length > MOST_INTERPRETERS) return null;
        if (name in found) continue;
        found[name] = identity;
        waiting.push(...interpretersOf(path));
      }
      return found;
    },
  };
}

/** (T1) */
function pathOf(program: string, { cwd, env }: ToolPlace): string | null {
  if (program.includes("/")) return isProgram(resolve(cwd, program)) ? resolve(cwd, program) : null;
  const folders = (env["PATH"] ?? "").split(delimiter).map((folder) => resolve(cwd, folder));
  return folders.map((folder) => join(folder, program)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** (T2) */
function identityOf(path: string, now: number): string | null {
  try {
    const { size, mtimeNs, ctimeNs, mtimeMs, ctimeMs, ino } = statSync(path, { bigint: true });
    if (Math.max(Number(mtimeMs), Number(ctimeMs)) + SETTLE_MS > now) return null;
    return `${realpathSync(path)} ${size}:${mtimeNs}:${ctimeNs}:${ino}`;
  } catch {
    return null;
  }
}

/** What `#!` names; behind `env` also the program that `env` runs. */
function interpretersOf(path: string): readonly string[] {
  const [interpreter, ...words] = /^#![ \t]*([^\n]*)/.exec(firstLine(path))?.[1]?.split(/[ \t]+/) ?? [];
  if (interpreter === undefined || interpreter === "") return [];
  const program = basename(interpreter) === ENV ? words.find((word) => !/^-|=/.test(word)) : undefined;
  return program === undefined ? [interpreter] : [interpreter, program];
}

function firstLine(path: string): string {
  try {
    const descriptor = openSync(path, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, FIRST_LINE_BYTES, 0)).toString("latin1");
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return ""; // it may be run and not read
  }
}
