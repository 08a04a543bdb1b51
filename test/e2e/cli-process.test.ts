// The command line as a process: what it writes, and how it ends. The use cases behind it are a few lines of this file.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../src");
const BYTES = 3 * 1024 * 1024;

const PROGRAM = `
import { processHost, start } from "./surfaces/cli/process-host.ts";
import { done } from "./core/result.ts";

const rows = () => Array.from({ length: ${BYTES} / 1024 }, (_, row) => "é" + String(row).padStart(1000, "."));
const app = {
  status: async () => done({ ok: true, rows: rows() }),
  refreshAll: async () => done({ ok: true, goals: 2 }),
  goalList: () => new Promise((resolve) => setTimeout(resolve, 20_000)),
  history: async () => done({ ok: true, runs: [] }),
  drift: () => new Promise(() => {}),
  registry: async () => { throw new TypeError("a slip"); },
  doctor: async () => { setTimeout(() => { throw new TypeError("late"); }); return new Promise((resolve) => setTimeout(resolve, 2000)); },
};
if (process.env.TEST_NONBLOCKING) void process.stdout;
const log = { write: () => {} };
void start(processHost({ open: async () => ({ app, log, close: async () => {} }), serve: async () => done(null) }));
`;

let folder = "";
let program = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loopx-cli-"));
  program = join(folder, "loopx.cjs");
  await build({
    stdin: { contents: PROGRAM, resolveDir: SOURCES, loader: "ts" },
    outfile: program,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    logLevel: "silent",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function started(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
}

interface Ended {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly out: Buffer;
  readonly err: string;
}

async function ended(child: ChildProcess, readSlowly: "slowly" | "at once" = "at once"): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stderr?.on("data", (chunk) => err.push(chunk));
  if (readSlowly === "slowly") await new Promise((resolve) => setTimeout(resolve, 500));
  child.stdout?.on("data", (chunk: Buffer) => {
    out.push(chunk);
    if (readSlowly === "at once") return;
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 2);
  });
  const [exit, signal] = await once(child, "close");
  return { exit, signal, out: Buffer.concat(out), err: Buffer.concat(err).toString() };
}

test.each([
  ["a blocking pipe", {}],
  ["a non-blocking pipe", { TEST_NONBLOCKING: "1" }],
])("a slow reader of %s gets every byte", async (_, env) => {
  const { exit, out, err } = await ended(started(["status", "--json"], env), "slowly");
  expect([exit, err]).toEqual([0, ""]);
  expect(out.length).toBeGreaterThan(BYTES - 100 * 1024);
  expect(out.at(-1)).toBe(10);
  expect(JSON.parse(out.toString()).rows).toHaveLength(BYTES / 1024);
});

test("a reader that goes away is no error", async () => {
  const child = started(["status", "--json"]);
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [exit] = await once(child, "exit");
  expect(exit).toBe(0);
});

test("a standard output that is closed from the start is no error", () => {
  const run = spawnSync("/bin/sh", ["-c", `"${process.execPath}" "${program}" history --json >&-`], { encoding: "utf8" });
  expect([run.status, run.stderr]).toEqual([0, ""]);
});

test("a full disk under standard output is a fault, told on stderr", () => {
  const run = spawnSync("/bin/sh", ["-c", `"${process.execPath}" "${program}" history --json > /dev/full`], { encoding: "utf8" });
  expect(run.status).toBe(5);
  expect(run.stderr).toContain("output_failed");
  expect(run.stderr).toContain("ENOSPC");
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a watch with 0 after what it was writing", async (signal) => {
  const child = started(["refresh", "--all", "--watch", "60", "--json"]);
  child.stdout?.once("data", () => child.kill(signal));
  const { exit, out, err } = await ended(child);
  expect([exit, err]).toEqual([0, ""]);
  expect(out.toString()).toBe('{"ok": true, "goals": 2}\n');
});

test("a watch ends when its reader goes away", async () => {
  const child = started(["status", "--watch", "0.1", "--json"]);
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [exit] = await once(child, "exit");
  expect(exit).toBe(0);
});

test("SIGINT ends any other command as it ends every program", async () => {
  const child = started(["goal", "list"]);
  setTimeout(() => child.kill("SIGINT"), 10);
  const { signal } = await ended(child);
  expect(signal).toBe("SIGINT");
});

test.each([
  ["registry", "a slip"],
  ["doctor", "late"],
  ["drift", "without an answer"],
])("a bug in %s is reported and exits 70", async (command, words) => {
  const { exit, out, err } = await ended(started([command]));
  expect([exit, out.toString()]).toEqual([70, ""]);
  expect(err).toContain(words);
  expect(err).toContain(`command: loopx ${command}`);
});

test("a bug is one JSON record when JSON was asked for", async () => {
  const { exit, out, err } = await ended(started(["registry", "--json"]));
  expect([exit, err]).toEqual([70, ""]);
  expect(JSON.parse(out.toString())).toMatchObject({ ok: false, code: "bug" });
});

test("a folder that is gone is a fault with a hint", () => {
  const script = `mkdir "${folder}/gone" && cd "${folder}/gone" && rmdir "${folder}/gone" && "${process.execPath}" "${program}" history --json`;
  const run = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  expect(run.status).toBe(5);
  expect(JSON.parse(run.stdout)).toMatchObject({ code: "folder_gone", fix: "cd into a folder that exists" });
});
