/**
 * Finds running processes by their group or by variables of their environment.
 *
 * Does not own: ending them (`end-processes.ts`).
 *
 * F1  This process itself is never found.
 * F2  Processes of other people, whose environment nobody may read, are found by their group alone.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { hasMarks, type ProcessRow, readPsLine, readStat, saysMarks } from "../../core/host/process-table.ts";
import type { Environment } from "../../core/host/turn-env.ts";

export interface Wanted {
  /** Null: no group. */
  readonly group: number | null;
  /** All of them; none at all are nobody's. */
  readonly marks: Environment;
}

export interface ProcessSearch {
  find(wanted: Wanted): readonly ProcessRow[];
  /** Those that still run. */
  stillRunning(rows: readonly ProcessRow[]): readonly ProcessRow[];
}

export function processSearch(platform: string = process.platform): ProcessSearch {
  return platform === "linux" ? procSearch : psSearch(platform);
}

const procSearch: ProcessSearch = {
  find: ({ group, marks }) =>
    pids().flatMap((pid) => {
      const row = procRow(pid);
      if (row === null || !row.runs || pid === process.pid) return []; // (F1)
      return row.group === group || hasMarks(textOf(`/proc/${pid}/environ`), marks) ? [row] : [];
    }),
  stillRunning: (rows) => rows.filter(({ pid, started }) => isSame(procRow(pid), started)),
};

function pids(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function procRow(pid: number): ProcessRow | null {
  return readStat(textOf(`/proc/${pid}/stat`));
}

function isSame(row: ProcessRow | null, started: string): boolean {
  return row?.runs === true && row.started === started;
}

/** Empty when it may not be read (F2) or is gone. Any bytes: one character each. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function psSearch(platform: string): ProcessSearch {
  const rows = (): readonly (ProcessRow & { readonly rest: string })[] =>
    psText(platform)
      .split("\n")
      .flatMap((line) => readPsLine(line) ?? []);
  return {
    find: ({ group, marks }) =>
      rows().filter((row) => row.runs && row.pid !== process.pid && (row.group === group || saysMarks(row.rest, marks))),
    stillRunning: (known) => {
      const now = new Map(rows().map((row) => [row.pid, row]));
      return known.filter(({ pid, started }) => isSame(now.get(pid) ?? null, started));
    },
  };
}

function psText(platform: string): string {
  const withEnvironment = platform === "darwin" ? "-Eaxww" : "axeww";
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };
  const args = [withEnvironment, "-o", "pid=,pgid=,stat=,lstart=,command="];
  try {
    return execFileSync("ps", args, {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000,
      maxBuffer: 256 << 20,
    });
  } catch {
    return "";
  }
}
