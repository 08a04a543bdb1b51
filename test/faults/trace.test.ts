import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { delaySync, failAt, killAt, pointsUnder, traceSyscalls } from "./trace.ts";
import { parseTrace } from "./trace-text.ts";

const VICTIM = `
import fs from "node:fs";
const folder = process.argv[2];
const file = fs.openSync(folder + "/log", "w");
fs.writeSync(file, "first\\n");
fs.fsyncSync(file);
fs.writeSync(file, "second\\n", 6);
fs.fdatasyncSync(file);
fs.renameSync(folder + "/log", folder + "/final");
fs.linkSync(folder + "/final", folder + "/twin");
fs.unlinkSync(folder + "/twin");
fs.ftruncateSync(file, 3);
console.log("answered");
`;

let folder = "";
let argv: readonly string[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-victim-")));
  writeFileSync(join(folder, "victim.mjs"), VICTIM);
  argv = [process.execPath, join(folder, "victim.mjs"), folder];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CHANGES = ["write", "fsync", "pwrite64", "fdatasync", "rename", "link", "unlink", "ftruncate"];

describe("traceSyscalls", () => {
  test("records what the main thread did to which file", () => {
    const trace = traceSyscalls(argv, { dataBytes: 64 });
    expect(trace).toMatchObject({ exit: 0, stdout: "answered\n" });
    const calls = trace.calls.filter((call) => CHANGES.includes(call.name) && call.paths.some((path) => path.startsWith(folder)));
    const log = join(folder, "log");
    const final = join(folder, "final");
    expect(calls.map(({ name, paths, data, result }) => ({ name, paths, data, result }))).toMatchObject([
      { name: "write", paths: [log], data: "first\n", result: 6 },
      { name: "fsync", paths: [log], result: 0 },
      { name: "pwrite64", paths: [log], data: "second\n", result: 7 },
      { name: "fdatasync", paths: [log], result: 0 },
      { name: "rename", paths: [log, final], result: 0 },
      { name: "link", paths: [final, join(folder, "twin")], result: 0 },
      { name: "unlink", paths: [join(folder, "twin")], result: 0 },
      { name: "ftruncate", paths: [final], result: 0 },
    ]);
  });

  test("shows that a sync returned before the answer was written", () => {
    const { calls } = traceSyscalls(argv, { dataBytes: 64 });
    const sync = calls.find((call) => call.name === "fdatasync");
    const answer = calls.find((call) => call.data === "answered\n");
    expect(sync?.returned).toBeLessThan(answer?.entered ?? 0);
  });

  test("shows calls that failed", () => {
    const { calls } = traceSyscalls([process.execPath, "-e", "try { fs.unlinkSync('./no-such-file') } catch {}"], {
      cwd: folder,
    });
    expect(calls).toContainEqual(
      expect.objectContaining({ name: "unlink", errno: "ENOENT", paths: [join(folder, "no-such-file")] }),
    );
  });

  test("numbers the calls of each name from 1 (F1)", () => {
    const { calls } = traceSyscalls(argv);
    for (const name of new Set(calls.map((call) => call.name))) {
      const ordinals = calls.filter((call) => call.name === name).map((call) => call.ordinal);
      expect(ordinals).toEqual(ordinals.map((_, index) => index + 1));
    }
  });
});

describe("killAt", () => {
  test("kills at every point of a trace, before the call has an effect (F1, F2, F3)", () => {
    const points = pointsUnder(traceSyscalls(argv), folder, CHANGES);
    expect(points.map((point) => point.syscall)).toEqual(CHANGES);
    for (const point of points) {
      for (const name of ["log", "final", "twin"]) rmSync(join(folder, name), { force: true });
      const run = killAt(argv, point);
      expect(run).toMatchObject({ killed: true, exit: 137, stdout: "" });
      expect(run.call).toMatchObject({ name: point.syscall, ordinal: point.ordinal });
      expect(run.call?.paths[0]?.startsWith(folder)).toBe(true);
      if (point.syscall === "write") expect(readFileSync(join(folder, "log"), "utf8")).toBe("");
      if (point.syscall === "pwrite64") expect(readFileSync(join(folder, "log"), "utf8")).toBe("first\n");
      expect(existsSync(join(folder, "final"))).toBe(["link", "unlink", "ftruncate"].includes(point.syscall));
      expect(existsSync(join(folder, "twin"))).toBe(point.syscall === "unlink");
    }
  });

  test("says so when the program ended before that call (F3)", () => {
    expect(killAt(argv, { syscall: "fsync", ordinal: 2 })).toMatchObject({ killed: false, exit: 0, call: null });
  });
});

describe("failAt", () => {
  test("makes one call fail without effect", () => {
    const run = failAt(argv, { syscall: "pwrite64", errno: "ENOSPC", when: 1 });
    expect(run.exit).toBe(1);
    expect(run.stderr).toContain("ENOSPC");
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("first\n");
  });

  test("makes every call fail when none is chosen", () => {
    const program =
      "let n = 0; for (let i = 0; i < 3; i += 1) try { fs.fsyncSync(fs.openSync('.')) } catch { n += 1 } console.log(n)";
    expect(failAt([process.execPath, "-e", program], { syscall: "fsync", errno: "EIO" }, { cwd: folder }).stdout).toBe("3\n");
  });
});

test("delaySync makes each sync slow", () => {
  const started = performance.now();
  expect(delaySync(argv, 200).exit).toBe(0);
  expect(performance.now() - started).toBeGreaterThan(400);
});

test("a call that another thread interrupts is one call (T1, T2, T3)", () => {
  const log = [
    '10 execve("/usr/bin/node", ["node"], 0x7ffc /* 9 vars */) = 0',
    "10 fsync(3</data/log> <unfinished ...>",
    '11 write(4</data/other>, "a\\n\\303\\251\\x00\\"/b", 5) = 5',
    "10 <... fsync resumed>)              = -1 EIO (Input/output error)",
    '10 openat(AT_FDCWD</home/x>, "a.txt", O_RDONLY) = 5</home/x/a.txt>',
    '11 rename("old", "/new" <unfinished ...>',
    "11 +++ killed by SIGKILL +++",
    "10 +++ killed by SIGKILL +++",
  ].join("\n");
  const { calls, otherCalls } = parseTrace(log, "/start");
  expect(calls).toMatchObject([
    { name: "execve" },
    { name: "fsync", paths: ["/data/log"], entered: 2, returned: 4, errno: "EIO", result: -1, ordinal: 1 },
    { name: "openat", paths: ["/home/x/a.txt", "/home/x/a.txt"], result: 5 },
  ]);
  expect(otherCalls).toMatchObject([
    { name: "write", paths: ["/data/other"], data: 'a\n\u00c3\u00a9\u0000"/b', result: 5 },
    { name: "rename", paths: ["/start/old", "/new"], result: null, returned: null },
  ]);
});
