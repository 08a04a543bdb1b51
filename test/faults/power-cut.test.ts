/** A power cut: what was answered is on the disk, because the sync of the log returns before the answer is written. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { GoalEvent } from "../../src/core/events.ts";
import * as decisions from "./decisions.ts";
import { facts, runsIn, seen } from "./look.ts";
import { emptyFolder, type Json, type Project, projectIn } from "./program.ts";
import { type Trace, traceSyscalls } from "./trace.ts";
import type { Syscall } from "./trace-text.ts";

const made: Project[] = [];

afterEach(() => {
  for (const each of made.splice(0)) each.remove();
});

async function known(): Promise<Project> {
  const of = emptyFolder();
  made.push(of);
  await seen(of);
  return of;
}

const REFRESH = ["refresh", "--goal-id", "alpha", "--classification", "progress", "--next-action", "Go on."];
const SYNCS: readonly string[] = ["fsync", "fdatasync"];
/** Longer than any single write to the log or the store. */
const WHOLE = 1 << 20;

function isOn(call: Syscall, path: string): boolean {
  return call.paths.includes(path);
}

/** The runtime writes it in another thread. */
function answerOf({ calls, otherCalls }: Trace): Syscall | undefined {
  return [...calls, ...otherCalls].find((call) => call.name === "write" && call.args.startsWith("1<"));
}

test("the log is synced after its last write of the run, and before the answer", async () => {
  const of = await known();
  const trace = traceSyscalls(of.argv(...REFRESH), { cwd: of.folder, dataBytes: 16 });
  const { calls } = trace;
  expect(trace.exit).toBe(0);
  const log = `${of.root}/loopx.db-wal`;
  const answered = answerOf(trace);
  const shown = calls.find((call) => call.name.startsWith("rename") && isOn(call, of.stateFile()));
  if (answered === undefined || shown === undefined) throw new Error("neither an answer nor a new state file");
  const synced = calls.filter((call) => SYNCS.includes(call.name) && isOn(call, log) && call.result === 0);
  // The commit of the run comes before the state file that shows it, and that one's sync before its new name.
  expect(synced.some((call) => (call.returned ?? Number.POSITIVE_INFINITY) < shown.entered)).toBe(true);
  expect(synced.some((call) => (call.returned ?? Number.POSITIVE_INFINITY) < answered.entered)).toBe(true);
  const text = calls.filter(
    (call) => SYNCS.includes(call.name) && call.paths.some((path) => dirname(path) === dirname(of.stateFile())),
  );
  expect(text.some((call) => (call.returned ?? Number.POSITIVE_INFINITY) < shown.entered)).toBe(true);
  // Names too: of the log in the runtime root, of the state file in its folder.
  const folders = calls.filter((call) => SYNCS.includes(call.name) && call.result === 0).flatMap((call) => call.paths);
  expect(folders).toContain(of.root);
  expect(folders).toContain(dirname(of.stateFile()));
});

/** What the store holds on a disk that kept only what was synced before the answer, and that answer. */
async function afterPowerCut(
  of: Project,
  args: readonly string[],
): Promise<{ readonly said: Json; readonly events: readonly GoalEvent[] }> {
  const before = `${of.folder}.before`;
  cpSync(of.folder, before, { recursive: true, preserveTimestamps: true });
  made.push(projectIn(before));
  const trace = traceSyscalls(of.argv(...args), {
    cwd: of.folder,
    dataBytes: WHOLE,
    syscalls: ["write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "openat"],
  });
  expect(trace.exit).toBe(0);
  const answered = answerOf(trace)?.entered ?? 0;
  const survived = syncedFiles(of, { before, calls: trace.calls.filter((call) => call.entered < answered) });
  rmSync(of.folder, { recursive: true });
  cpSync(before, of.folder, { recursive: true });
  for (const name of ["loopx.db", "loopx.db-wal", "loopx.db-shm"]) rmSync(join(of.root, name), { force: true });
  mkdirSync(of.root, { recursive: true });
  for (const [name, bytes] of survived) writeFileSync(join(of.root, name), bytes);
  return { said: JSON.parse(trace.stdout), events: await facts(of) };
}

test("what was synced before the answer, and nothing else, holds the run", async () => {
  const { said, events } = await afterPowerCut(await known(), REFRESH);
  expect(runsIn(events)).toBe(2);
  expect(events.filter((event) => event.type === "run.recorded").at(-1)).toMatchObject(said.event);
});

const TURN = ["--turn-instance-id", "turn-1"];

test.each<[string, (of: Project) => Promise<void>, readonly string[], readonly GoalEvent["type"][]]>([
  ["claim", decisions.known, ["claim", ...decisions.WHO, "--todo-id", "todo_ground", ...TURN], ["lease.taken"]],
  [
    "done",
    decisions.held,
    ["done", ...decisions.WHO, "--lease-epoch", "1", ...TURN, "--summary", "It stands", "--next", "Paint it"],
    ["todo.closed", "lease.freed", "turn.spent"],
  ],
  ["gate approve", decisions.asked, ["gate", "approve", decisions.GATE, "--goal-id", "alpha"], ["gate.decided"]],
  ["quota spend-slot", decisions.written, ["quota", "spend-slot", ...decisions.WHO, ...TURN, "--execute"], ["turn.spent"]],
])("what was synced before the answer holds what %s did", async (_, setUp, args, types) => {
  const of = emptyFolder();
  made.push(of);
  await setUp(of);
  const { said, events } = await afterPowerCut(of, args);
  expect(said.ok).toBe(true);
  expect(types.map((type) => [type, events.filter((event) => event.type === type).length])).toEqual(
    types.map((type) => [type, 1]),
  );
});

/** Store and log as they stand on a disk that kept only what a sync had promised. */
function syncedFiles(
  of: Project,
  { before, calls }: { readonly before: string; readonly calls: readonly Syscall[] },
): ReadonlyMap<string, Buffer> {
  const names = ["loopx.db", "loopx.db-wal"];
  const survived = new Map<string, Buffer>();
  for (const name of names) {
    let onDisk = fileOrNothing(join(before, ".loopx/runtime", name));
    let inMemory = onDisk;
    for (const call of calls.filter((each) => isOn(each, join(of.root, name)))) {
      if (call.name === "pwrite64") inMemory = written(inMemory, call);
      if (SYNCS.includes(call.name) && call.result === 0) onDisk = inMemory;
    }
    survived.set(name, onDisk);
  }
  return survived;
}

function fileOrNothing(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** `pwrite64(fd, "bytes", count, offset)`. */
function written(bytes: Buffer, { args, data, result }: Syscall): Buffer {
  const offset = Number(/(\d+)$/.exec(args)?.[1]);
  const part = Buffer.from(data ?? "", "latin1").subarray(0, result ?? 0);
  if (part.length !== result) throw new Error(`not all of a write was recorded: ${part.length} of ${result}`);
  const grown = Buffer.concat([bytes, Buffer.alloc(Math.max(0, offset + part.length - bytes.length))]);
  part.copy(grown, offset);
  return grown;
}
