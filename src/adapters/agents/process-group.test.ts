import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunArgv } from "../../core/host/run-argv.ts";
import { checkRunArgv } from "../../core/host/run-argv.ts";
import type { GroupRequest } from "../../ports/process.ts";
import { processGroups } from "./process-group.ts";

const groups = processGroups({ log_bytes: 1000 });
let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "loopx-group-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function argvOf(...args: readonly string[]): RunArgv {
  const argv = checkRunArgv(args);
  if (argv.kind !== "done") throw new Error(argv.message);
  return argv.value;
}

function requestOf(code: string, more: Partial<GroupRequest> = {}): GroupRequest {
  return {
    argv: argvOf(process.execPath, "-e", code),
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: null,
    marks: {},
    limits: { idle_ms: null, hard_ms: 10_000, grace_ms: 1000, line_bytes: 1000, output_bytes: 100_000 },
    log_path: null,
    signal: new AbortController().signal,
    onLine: () => {},
    ...more,
  };
}

test("what is given on standard input is read, and nothing given is its end", async () => {
  const lines: string[] = [];
  const onLine: GroupRequest["onLine"] = ({ text }) => lines.push(text);
  const echo = "process.stdin.pipe(process.stdout)";
  expect(await groups.run(requestOf(echo, { stdin: "ü\n漢", onLine }))).toMatchObject({ end: { kind: "exited", code: 0 } });
  expect(await groups.run(requestOf(echo, { onLine }))).toMatchObject({ end: { kind: "exited", code: 0 } });
  expect(lines).toEqual(["ü", "漢"]);
});

test("a program that does not read what it is given has ended all the same", async () => {
  const request = requestOf("process.stdin.destroy(); process.exitCode = 3", { stdin: "x".repeat(5_000_000) });
  expect(await groups.run(request)).toMatchObject({ kind: "ran", end: { kind: "exited", code: 3 } });
});

test("G1: a program and a folder that are not there, and more than the system takes", async () => {
  const missing = { argv: argvOf("loopx-has-no-such-program") };
  expect(await groups.run(requestOf("0", missing))).toEqual({ kind: "not_started", why: "program_missing" });
  expect(await groups.run(requestOf("0", { argv: argvOf(cwd) }))).toEqual({ kind: "not_started", why: "not_executable" });
  const long = { env: { LONG: "x".repeat(4_000_000) } };
  expect(await groups.run(requestOf("0", long))).toEqual({ kind: "not_started", why: "too_long" });
  rmSync(cwd, { recursive: true });
  expect(await groups.run(requestOf("0"))).toEqual({ kind: "not_started", why: "workspace_missing" });
});

test("a listener that throws ends the program, and is heard", async () => {
  const onLine = (): void => {
    throw new Error("in the parser");
  };
  const request = requestOf('console.log("x"); setInterval(() => {}, 1000)', { onLine });
  await expect(groups.run(request)).rejects.toThrow("in the parser");
});

test("what the program prints beyond the limits is counted", async () => {
  const lines: string[] = [];
  const request = requestOf('console.log("x".repeat(1500)); console.log("y")', { onLine: ({ text }) => lines.push(text) });
  expect(await groups.run(request)).toMatchObject({ dropped_bytes: 500, log_flaw: null });
  expect(lines.map((text) => text.length)).toEqual([1000, 1]);
});

test("a log that cannot be written is named, and ends nothing", async () => {
  const run = await groups.run(requestOf('console.log("x")', { log_path: "/dev/null/turn.log" }));
  expect(run).toMatchObject({ end: { kind: "exited", code: 0 }, log_flaw: expect.stringMatching(/^E/) });
});
