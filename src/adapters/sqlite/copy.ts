/** Copies of a store that cannot be opened in its place, each in a temporary folder of its own. */
import { chmodSync, copyFileSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { damaged } from "./faults.ts";

export interface FileCopy {
  readonly path: string;
  remove(): void;
}

const ATTEMPTS = 20;

/** Copies `path` and its write-ahead log as they stood together at one moment. */
export function copyFiles(path: string): FileCopy {
  const folder = mkdtempSync(join(tmpdir(), "loopx-"));
  const remove = (): void => {
    process.removeListener("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = fileStamp(path);
      const copy = copyOnce(path, folder);
      if (fileStamp(path) === before) return { path: copy, remove };
    }
    throw damaged(path, "it changed during each of the attempts to copy it");
  } catch (error) {
    remove();
    throw error;
  }
}

/** Changes when the store or its log changes; empty when there is no store, names the log only when it holds something. */
export function fileStamp(path: string): string {
  const store = stampOf(path);
  if (store === null) return "";
  const log = stampOf(`${path}-wal`);
  return log === null || log.startsWith("0/") ? store : `${store} wal ${log}`;
}

function stampOf(path: string): string | null {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.size}/${stat.mtimeNs}/${stat.ctimeNs}/${stat.ino}`;
}

function copyOnce(path: string, folder: string): string {
  const target = join(folder, "loopx.db");
  for (const ending of ["", "-wal"]) {
    rmSync(target + ending, { force: true });
    if (stampOf(path + ending) === null) continue;
    copyFileSync(path + ending, target + ending);
    chmodSync(target + ending, 0o600);
  }
  return target;
}
