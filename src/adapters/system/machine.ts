/** Facts of this machine from Node and, on Linux, from the table of mounts. */
import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, statSync, unlinkSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Machine, Mount, SyncTime } from "../../ports/machine.ts";

export function systemMachine(env: Readonly<Record<string, string | undefined>>): Machine {
  return {
    node_version: process.versions.node,
    extra_certificates: env["NODE_EXTRA_CA_CERTS"] || null,
    deviceOf,
    mountOf: (path) => mountOf(path, mountTable()),
    freeBytes,
    syncTime,
    portState,
  };
}

/** Of the path or the nearest folder above it that is there. */
function nearest<T>(path: string, look: (path: string) => T): T | null {
  for (let at = path; ; at = dirname(at)) {
    try {
      return look(at);
    } catch {
      if (dirname(at) === at) return null;
    }
  }
}

function deviceOf(path: string): string | null {
  return nearest(path, (at) => String(statSync(at, { bigint: true }).dev));
}

function freeBytes(path: string): number | null {
  return nearest(path, (at) => {
    const { bavail, bsize } = statfsSync(at);
    return bavail * bsize;
  });
}

function mountTable(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

/** The deepest mount that holds the path; of two at one place the later one, which hides the other. */
export function mountOf(path: string, mountinfo: string): Mount | null {
  let deepest: Mount | null = null;
  for (const line of mountinfo.split("\n")) {
    const mount = mountIn(line);
    if (mount !== null && holds(mount.mount_point, path) && mount.mount_point.length >= (deepest?.mount_point.length ?? 0)) {
      deepest = mount;
    }
  }
  return deepest;
}

function mountIn(line: string): Mount | null {
  const [left = "", right = ""] = line.split(" - ");
  const [, , , , point, options] = left.split(" ");
  const kind = right.split(" ")[0];
  if (point === undefined || options === undefined || kind === undefined || kind === "") return null;
  const unescaped = point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return { mount_point: unescaped, kind, options: options.split(",") };
}

function holds(mountPoint: string, path: string): boolean {
  return mountPoint === "/" || path === mountPoint || path.startsWith(`${mountPoint}/`);
}

const ROUNDS = 3;
const BLOCK = Buffer.alloc(4096);

/** The name is that of every file that LoopX makes for a moment, so that what a kill leaves is recognised. */
function syncTime(folder: string): SyncTime {
  const digits = Math.floor(Math.random() * 2 ** 48).toString(16);
  const path = join(folder, `.loopx-${process.pid}-${digits.padStart(12, "0")}.tmp`);
  try {
    const descriptor = openSync(path, "wx", 0o600);
    try {
      const times = Array.from({ length: ROUNDS }, () => timeOf(descriptor)).sort((a, b) => a - b);
      return { kind: "measured", milliseconds: times[Math.floor(ROUNDS / 2)] ?? 0 };
    } finally {
      closeSync(descriptor);
      unlinkSync(path);
    }
  } catch (error) {
    return { kind: "failed", code: codeOf(error) };
  }
}

function timeOf(descriptor: number): number {
  const begun = performance.now();
  writeSync(descriptor, BLOCK, 0, BLOCK.length, 0);
  fsyncSync(descriptor);
  return performance.now() - begun;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}

function portState(port: number): Promise<"free" | "in_use" | "not_permitted"> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(codeOf(error) === "EADDRINUSE" ? "in_use" : "not_permitted"));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve("free")));
  });
}
