/** Small files for their owner alone, as the session of a team keeps them. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { JsonValue } from "../../core/registry/json-node.ts";
import type { Problem } from "../../core/result.ts";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const LARGEST = 4 * 1024 * 1024;

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Whole or not at all; answers what is in the way. */
export function writePrivately(path: string, text: string): Problem | null {
  return attempt(path, () => withTemporary(path, text, (temporary) => renameSync(temporary, path)));
}

/** Whole from the first instant; a name that is taken is left alone. */
export function createPrivately(path: string, text: string): "created" | "exists" | Problem {
  let exists = false;
  const problem = attempt(path, () =>
    withTemporary(path, text, (temporary) => {
      try {
        linkSync(temporary, path);
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        exists = true;
      }
    }),
  );
  return problem ?? (exists ? "exists" : "created");
}

/** Null: no file, no JSON, or one that nobody of us wrote. */
export function readPrivateJson(path: string): JsonValue | null {
  try {
    const file = openSync(path, READ);
    try {
      const { size } = fstatSync(file);
      return size > LARGEST ? null : JSON.parse(readFileSync(file, "utf8"));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

export function attempt(path: string, work: () => void): Problem | null {
  try {
    work();
    return null;
  } catch (error) {
    return { path, code: "session_unwritable", message: `cannot be written (${codeOf(error)})` };
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}

function withTemporary(path: string, text: string, use: (temporary: string) => void): void {
  const temporary = join(dirname(path), `.loopx-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  try {
    use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}
