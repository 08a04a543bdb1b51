import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { holdGroup, signalGroup } from "./process-groups.ts";

const counts = (): readonly number[] => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name));

test("G1: this process is listened to only while a group is held", () => {
  const before = counts();
  const first = holdGroup(2 ** 22 + 1);
  const second = holdGroup(2 ** 22 + 2);
  expect(counts()).toEqual(before.map((count) => count + 1));
  first();
  first();
  expect(counts()).toEqual(before.map((count) => count + 1));
  second();
  expect(counts()).toEqual(before);
});

test("a group without anybody in it takes no signal", () => {
  expect(signalGroup(2 ** 22 + 1, "SIGKILL")).toBe(false);
});

test("G1, G2: a signal ends the group, then does what else listens for it or would have been done without", async () => {
  let heard = 0;
  const listener = (): void => {
    heard += 1;
  };
  process.on("SIGHUP", listener);
  const child = spawn(process.execPath, ["-e", 'console.log("up"); setInterval(() => {}, 1000)'], { detached: true });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  const release = holdGroup(child.pid ?? 0);
  process.kill(process.pid, "SIGHUP");
  expect(await ended).toBe("SIGKILL");
  process.off("SIGHUP", listener);
  release();
  expect(heard).toBe(1);
});
