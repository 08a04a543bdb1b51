import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TurnLog } from "./turn-log.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-turn-log-"));
  path = join(folder, "logs", "agent-1", "turn-1.log");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (text: string, cut = false): { text: string; cut: boolean } => ({ text, cut });

test("lines of both streams, in their order", async () => {
  const log = new TurnLog(path, 1000);
  log.write(line("one"), "out");
  log.write(line("two"), "err");
  log.write(line("three", true), "out");
  expect(await log.close()).toBeNull();
  expect(readFileSync(path, "utf8")).toBe("out one\nerr two\nout three …\n");
});

test("nothing printed, no file", async () => {
  expect(await new TurnLog(path, 1000).close()).toBeNull();
  expect(existsSync(join(folder, "logs"))).toBe(false);
});

test("L1: a full file becomes the predecessor, and the latest lines stay", async () => {
  const log = new TurnLog(path, 300);
  for (let count = 0; count < 100; count += 1) {
    log.write(line(`line ${count}`), "out");
    if (count % 10 === 0) await log.caughtUp();
  }
  expect(await log.close()).toBeNull();
  expect(statSync(path).size).toBeLessThanOrEqual(300);
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(300);
  expect(existsSync(`${path}.2`)).toBe(false);
  expect(readFileSync(path, "utf8")).toMatch(/out line 99\n$/);
});

test("L1: more at once than fits is cut to its last whole lines", async () => {
  const log = new TurnLog(path, 25);
  for (let count = 0; count < 10; count += 1) log.write(line(`line ${count}`), "out");
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("out line 8\nout line 9\n");
});

test("L1: a second attempt goes on in the same file", async () => {
  for (const text of ["first", "second"]) {
    const log = new TurnLog(path, 15);
    log.write(line(text), "out");
    await log.close();
  }
  expect(readFileSync(`${path}.1`, "utf8")).toBe("out first\n");
  expect(readFileSync(path, "utf8")).toBe("out second\n");
});

test("L2: credentials are masked, and keys over several lines of one stream", async () => {
  const log = new TurnLog(path, 10_000);
  log.write(line("token=abc"), "out");
  log.write(line("-----BEGIN PRIVATE KEY-----"), "err");
  log.write(line("MIIEow"), "out");
  log.write(line("c2VjcmV0"), "err");
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("out token=***\nerr ***\nout MIIEow\n");
});

test("a line is kept up to a length", async () => {
  const log = new TurnLog(path, 100_000);
  log.write(line("x".repeat(50_000)), "out");
  await log.close();
  expect(readFileSync(path, "utf8")).toBe(`out ${"x".repeat(16_384)} …\n`);
});

test("L3: while the disk is behind, it says so, until it has caught up", async () => {
  const log = new TurnLog(path, 10_000_000);
  for (let count = 0; count < 20; count += 1) log.write(line("x".repeat(16_000)), "out");
  expect(log.isBehind).toBe(true);
  await log.caughtUp();
  expect(log.isBehind).toBe(false);
  await log.close();
});

test("L4: what cannot be written is no error, and is named", async () => {
  writeFileSync(join(folder, "logs"), "a file stands here");
  const log = new TurnLog(path, 1000);
  log.write(line("x"), "out");
  await log.caughtUp();
  log.write(line("y"), "out");
  expect(log.isBehind).toBe(false);
  expect(await log.close()).toMatch(/^E[A-Z]+$/);
});

test("L5: for its owner alone, and no link is followed", async () => {
  const log = new TurnLog(path, 1000);
  log.write(line("x"), "out");
  await log.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "logs")).mode & 0o777).toBe(0o700);

  const target = join(folder, "target");
  writeFileSync(target, "kept");
  mkdirSync(join(folder, "other"));
  symlinkSync(target, join(folder, "other", "link.log"));
  const linked = new TurnLog(join(folder, "other", "link.log"), 1000);
  linked.write(line("x"), "out");
  expect(await linked.close()).toBe("ELOOP");
  expect(readFileSync(target, "utf8")).toBe("kept");
});

test("L6: of many turns the logs of the latest stay, and what is no log of a turn", async () => {
  const logs = join(folder, "logs", "agent-1");
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, "worker.log"), "");
  utimesSync(join(logs, "worker.log"), 1, 1);
  for (let turn = 10; turn < 60; turn += 1) {
    writeFileSync(join(logs, `turn-${turn}.log`), "");
    utimesSync(join(logs, `turn-${turn}.log`), turn, turn);
  }
  const log = new TurnLog(path, 1000);
  log.write(line("one"), "out");
  expect(await log.close()).toBeNull();
  const latest = Array.from({ length: 39 }, (_, index) => `turn-${index + 21}.log`);
  expect(readdirSync(logs).sort()).toEqual(["turn-1.log", ...latest, "worker.log"]);
});
