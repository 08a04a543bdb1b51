/**
 * Tells a process from every other one: by its number, the time of its start and the boot of the machine.
 *
 * Does not own: what follows from a process being gone (commands).
 *
 * I1  A number that another process has got since is not the process that had it.
 * I2  A process that has ended and was not collected yet is not alive.
 * I3  After the machine was started anew, no process of before is alive.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type ProcessRow, readPsLine, readStat } from "../../core/host/process-table.ts";
import type { ProcessIdentities, ProcessIdentity } from "../../ports/process.ts";

/** How the system is asked; tests bring their own. */
export interface ProcessSource {
  row(pid: number): ProcessRow | null;
  bootId(): string;
}

export function processIdentities(source: ProcessSource = sourceOf(process.platform)): ProcessIdentities {
  const of = (pid: number): ProcessIdentity | null => {
    const row = source.row(pid);
    return row?.runs === true ? { pid, started: row.started, boot_id: source.bootId() } : null; // (I2)
  };
  return {
    of,
    self: () => of(process.pid) ?? { pid: process.pid, started: "", boot_id: source.bootId() },
    isAlive: (identity) => {
      const now = of(identity.pid);
      return now !== null && now.started === identity.started && now.boot_id === identity.boot_id; // (I1, I3)
    },
  };
}

export function sourceOf(platform: string): ProcessSource {
  return platform === "linux" ? { row: procRow, bootId: procBootId } : { row: psRow, bootId: sysctlBootId };
}

function procRow(pid: number): ProcessRow | null {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === null ? null : readStat(stat);
}

function procBootId(): string {
  return textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

function psRow(pid: number): ProcessRow | null {
  return readPsLine(printedBy("ps", ["-o", "pid=,pgid=,stat=,lstart=", "-p", String(pid)]).trimEnd());
}

function sysctlBootId(): string {
  return printedBy("sysctl", ["-n", "kern.bootsessionuuid"]).trim();
}

/** In the words of the locale C: the same for whoever asks. */
function printedBy(program: string, args: readonly string[]): string {
  try {
    const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };
    return execFileSync(program, args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"], timeout: 5000 });
  } catch {
    return "";
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
