import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { ProcessRow } from "../../core/host/process-table.ts";
import { systemLoad } from "./load.ts";
import { processIdentities, sourceOf } from "./process-identity.ts";

const sources = [
  ["/proc", sourceOf("linux")],
  ["ps", sourceOf("darwin")],
] as const;

test.each(sources)("%s: this process is alive, and one that has ended is not", async (_name, source) => {
  const identities = processIdentities(source);
  expect(identities.isAlive(identities.self())).toBe(true);
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const identity = identities.of(Number(child.pid));
  expect(identity).toMatchObject({ pid: child.pid, started: expect.stringMatching(/\d/) });
  expect(identity !== null && identities.isAlive(identity)).toBe(true);
  child.stdin.end();
  await once(child, "exit");
  expect(identity !== null && identities.isAlive(identity)).toBe(false);
  expect(identities.of(Number(child.pid))).toBeNull();
});

test("/proc names the boot of the machine", () => {
  expect(processIdentities(sourceOf("linux")).self().boot_id).toMatch(/^[0-9a-f-]{36}$/);
});

function tableOf(row: Partial<ProcessRow> | null, boot = "b1"): ReturnType<typeof processIdentities> {
  const whole = row === null ? null : { pid: 42, group: 42, started: "100", runs: true, ...row };
  return processIdentities({ row: () => whole, bootId: () => boot });
}

const IDENTITY = { pid: 42, started: "100", boot_id: "b1" };

test.each([
  ["I1: a number that another process has got", tableOf({ started: "101" })],
  ["I2: one that has ended and was not collected", tableOf({ runs: false })],
  ["I3: one of before the machine was started anew", tableOf({}, "b2")],
  ["one that is not there", tableOf(null)],
])("%s is not alive", (_what, identities) => {
  expect(tableOf({}).isAlive(IDENTITY)).toBe(true);
  expect(identities.isAlive(IDENTITY)).toBe(false);
});

test("a process that the system does not show still has a number", () => {
  expect(tableOf(null).self()).toEqual({ pid: process.pid, started: "", boot_id: "b1" });
});

test("the load of the machine, and of each core", () => {
  expect(systemLoad([3, 2, 1], 2)).toEqual({ one_minute: 3, cores: 2, per_core: 1.5 });
  expect(systemLoad([], 0)).toEqual({ one_minute: 0, cores: 0, per_core: 0 });
  expect(systemLoad().cores).toBeGreaterThan(0);
});
