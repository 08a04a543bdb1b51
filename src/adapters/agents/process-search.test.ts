import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { endProcesses } from "./end-processes.ts";
import { processGroups } from "./process-group.ts";
import { processSearch } from "./process-search.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

let mark = 0;

async function started(code: string, marks: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", `${code}; console.log("ready"); setInterval(() => {}, 1000);`], {
    env: { PATH: process.env["PATH"], ...marks },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  await once(child.stdout ?? child, "data");
  return child;
}

function freshMarks(): Readonly<Record<string, string>> {
  mark += 1;
  return { LOOPX_SESSION_MARKER: `m-${process.pid}-${mark}`, LOOPX_TURN_ID: "t" };
}

// What is not Linux is asked through `ps`, which is here too.
const SEARCHES = [
  ["/proc", processSearch("linux")],
  ["ps", processSearch("freebsd")],
] as const;

test.each(SEARCHES)("%s: processes are found by all of their marks, or by their group", async (_name, search) => {
  const marks = freshMarks();
  const child = await started("", marks);
  const other = await started("", { ...marks, LOOPX_TURN_ID: "t2" });
  const pidsOf = (wanted: Parameters<typeof search.find>[0]): number[] => search.find(wanted).map(({ pid }) => pid);
  expect(pidsOf({ group: null, marks })).toEqual([child.pid]);
  expect(pidsOf({ group: Number(other.pid), marks: {} })).toEqual([other.pid]);
  expect(pidsOf({ group: null, marks: {} })).toEqual([]);
  const found = search.find({ group: null, marks });
  expect(search.stillRunning(found)).toEqual(found.map((row) => expect.objectContaining({ pid: row.pid })));
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  expect(search.stillRunning(found)).toEqual([]);
});

test("F1: this process is never found", () => {
  const PATH = process.env["PATH"] ?? "";
  expect(
    processSearch("linux")
      .find({ group: null, marks: { PATH } })
      .map(({ pid }) => pid),
  ).not.toContain(process.pid);
});

test("E1: those that ignore the request to end are made to, and all are counted once", async () => {
  const marks = freshMarks();
  const polite = await started("", marks);
  const stubborn = await started('process.on("SIGTERM", () => {})', marks);
  const ends = Promise.all([once(polite, "exit"), once(stubborn, "exit")]);
  expect(await endProcesses({ search: processSearch("linux"), wanted: { group: null, marks }, grace_ms: 50 })).toBe(2);
  expect(await ends).toEqual([
    [null, "SIGTERM"],
    [null, "SIGKILL"],
  ]);
});

test("E1: without a grace they are made to at once", async () => {
  const marks = freshMarks();
  const child = await started("", marks);
  const end = once(child, "exit");
  expect(await processGroups({ log_bytes: 1000 }).sweep(marks, 0)).toBe(1);
  expect(await end).toEqual([null, "SIGKILL"]);
  expect(await processGroups({ log_bytes: 1000 }).sweep(marks, 0)).toBe(0);
});
