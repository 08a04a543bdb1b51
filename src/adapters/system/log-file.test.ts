import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileLogOptions, fileLog } from "./log-file.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-log-"));
  path = join(folder, "logs", "loopx.log");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function options(more: Partial<FileLogOptions> = {}): FileLogOptions {
  return { path: () => path, level: "warn", correlation: "c1", now: () => "2026-11-30T08:00:00.000Z", ...more };
}

function lines(): unknown[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("L1: below the level nothing is created", () => {
  fileLog(options()).write("info", "command.done");
  fileLog(options({ level: null })).write("error", "command.failed");
  expect(existsSync(join(folder, "logs"))).toBe(false);
});

test("a line holds instant, level, correlation, event and facts, in a file of mode 0600", () => {
  fileLog(options()).write("warn", "store.busy", { goal_id: "g", wait_ms: 7 });
  expect(lines()).toEqual([
    { at: "2026-11-30T08:00:00.000Z", level: "warn", correlation: "c1", event: "store.busy", goal_id: "g", wait_ms: 7 },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("lines wait until the place is known", () => {
  let place: string | null = null;
  const log = fileLog(options({ path: () => place }));
  log.write("error", "first");
  place = path;
  log.write("error", "second");
  expect(lines()).toMatchObject([{ event: "first" }, { event: "second" }]);
});

test("L2: a folder that cannot be made is no error", () => {
  writeFileSync(join(folder, "logs"), "a file stands here");
  expect(() => fileLog(options()).write("error", "x")).not.toThrow();
});

test("L3: credentials are masked by name and by shape, at any depth", () => {
  fileLog(options()).write("error", "x", { env: { api_key: "abc" }, text: "token=abc" });
  expect(lines()).toMatchObject([{ env: { api_key: "***" }, text: "token=***" }]);
});

test("L4: a full log becomes the predecessor, and at most two files are there", () => {
  const log = fileLog(options({ maxBytes: 300 }));
  for (let count = 0; count < 40; count += 1) log.write("error", "x", { count });
  expect(statSync(`${path}.1`).size).toBeLessThan(500);
  expect(existsSync(`${path}.2`)).toBe(false);
});

test("L4: a link is not followed", () => {
  const target = join(folder, "target");
  writeFileSync(target, "kept");
  fileLog(options({ path: () => join(folder, "link.log") })).write("error", "made first");
  rmSync(join(folder, "link.log"));
  symlinkSync(target, join(folder, "link.log"));
  fileLog(options({ path: () => join(folder, "link.log") })).write("error", "x");
  expect(readFileSync(target, "utf8")).toBe("kept");
});

test("echo gets the line too", () => {
  const echoed: string[] = [];
  fileLog(options({ echo: (line) => echoed.push(line) })).write("error", "x");
  expect(echoed).toHaveLength(1);
});
