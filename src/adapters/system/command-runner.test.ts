import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CommandEnd, CommandRequest } from "../../ports/command-runner.ts";
import { systemCommands } from "./command-runner.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-run-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";

function run(argv: readonly string[], more: Partial<CommandRequest> = {}): Promise<CommandEnd> {
  return systemCommands.run({
    argv,
    cwd: folder,
    env: { PATH },
    timeout_ms: 8000,
    max_output_bytes: 65_536,
    ...more,
  });
}

/** A program of Node's, so that nothing here depends on a shell. */
function node(source: string, more: Partial<CommandRequest> = {}): Promise<CommandEnd> {
  return run([process.execPath, "-e", source], more);
}

function textOf(end: CommandEnd): string {
  return end.kind === "not_started" ? "" : Buffer.from(end.output.bytes).toString();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended and was not yet collected by its parent has no command line any more.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await wait(20);
  return !isAlive(pid);
}

function pidIn(name: string): number {
  return Number(readFileSync(join(folder, name), "utf8"));
}

/** A grandchild that never ends by itself, holds the outputs, and writes its number to `pid`. */
const GRANDCHILD = [
  'const { spawn } = require("node:child_process");',
  'const source = \'process.on("SIGTERM", () => {}); require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)\';',
].join("\n");
const UNTIL_IT_RUNS =
  'const until = setInterval(() => require("node:fs").existsSync("pid") && (clearInterval(until), after()), 10);';

test("exit code, both outputs and the time are answered", async () => {
  const end = await node('console.log("out"); console.error("err"); process.exitCode = 7');
  expect(end).toMatchObject({ kind: "exited", exit_code: 7, duration_ms: expect.any(Number) });
  expect(textOf(end).split("\n").sort()).toEqual(["", "err", "out"]);
});

test("R1: arguments arrive as they are, whatever they hold", async () => {
  const hostile = ["-rf", "a b", "new\nline", "$(touch no)", "`touch no`", "*", "ünï☃", "", "'\""];
  const end = await run([process.execPath, "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...hostile]);
  expect(JSON.parse(textOf(end))).toEqual(hostile);
});

test("R1: the environment is the one that was given, and the input is empty", async () => {
  process.env["LOOPX_TEST_LEAK"] = "leaked";
  const source = 'console.log(process.env.LOOPX_TEST_LEAK, process.env.GIVEN, require("node:fs").readFileSync(0).length)';
  const end = await node(source, { env: { PATH, GIVEN: "given" } });
  delete process.env["LOOPX_TEST_LEAK"];
  expect(textOf(end)).toBe("undefined given 0\n");
});

test("a program that ends by a signal is told from one that exits", async () => {
  expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({ kind: "signalled", signal: "SIGKILL" });
});

test("a program in a folder with a hostile name runs there", async () => {
  const cwd = join(folder, "-a b\nünï");
  mkdirSync(cwd);
  expect(textOf(await node("process.stdout.write(process.cwd())", { cwd }))).toBe(cwd);
});

/** A shell is up within milliseconds, also on a busy machine. */
function shell(source: string, more: Partial<CommandRequest>): Promise<CommandEnd> {
  return run(["sh", "-c", source], more);
}

const FOR_EVER = "while :; do sleep 0.05; done";

test("R2: past its time it is asked to end, and the answer says so even when it obeys with exit 0", async () => {
  const end = await shell(`trap 'echo asked; exit 0' TERM; echo up; ${FOR_EVER}`, { timeout_ms: 500 });
  expect(end).toMatchObject({ kind: "timed_out" });
  // The shell tells of its own child that was asked as well.
  expect(textOf(end)).toMatch(/^up\n(?:Terminated\n)?asked\n$/);
});

test("R2, R3: a hang is ended by force together with a grandchild that ignores the request and holds the pipes", async () => {
  writeFileSync(join(folder, "grandchild"), `trap '' TERM; echo $$ > pid; ${FOR_EVER}`);
  const end = await shell(`trap '' TERM; sh grandchild & echo up; ${FOR_EVER}`, { timeout_ms: 500, grace_ms: 100 });
  expect(end).toMatchObject({ kind: "timed_out" });
  expect(textOf(end)).toBe("up\n");
  expect(end.kind === "timed_out" && end.duration_ms).toBeLessThan(3000);
  expect(await gone(pidIn("pid"))).toBe(true);
});

test("R3: what an orderly program leaves behind ends with it", async () => {
  const source = `${GRANDCHILD} spawn(process.execPath, ["-e", source], { stdio: "inherit" }); function after() { process.exit(3) } ${UNTIL_IT_RUNS}`;
  const end = await node(source);
  expect(end).toMatchObject({ kind: "exited", exit_code: 3 });
  expect(await gone(pidIn("pid"))).toBe(true);
});

test("R2: a grandchild that left the group and holds the pipes does not hold up the answer", async () => {
  const source = `${GRANDCHILD} spawn(process.execPath, ["-e", source], { stdio: "inherit", detached: true }); function after() { console.log("done"); process.exit(0) } ${UNTIL_IT_RUNS}`;
  const end = await node(source);
  process.kill(pidIn("pid"), "SIGKILL");
  expect(end).toMatchObject({ kind: "exited", exit_code: 0 });
  expect(textOf(end)).toBe("done\n");
  expect(end.kind === "exited" && end.duration_ms).toBeLessThan(5000);
});

test("R4: of 100 MB head and tail are kept, all bytes are counted, and memory stays bounded", async () => {
  const source = [
    "const block = Buffer.alloc(1000000, 46);",
    'process.stdout.write("begin"); let left = 100;',
    'const go = () => { while (left > 0) { left -= 1; if (!process.stdout.write(block)) return process.stdout.once("drain", go) } process.stdout.write("end") };',
    "go();",
  ].join("\n");
  const before = process.memoryUsage().rss;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const end = await node(source);
  clearInterval(watch);
  expect(end).toMatchObject({ kind: "exited", exit_code: 0, output: { total_bytes: 100_000_008 } });
  expect(end.kind === "exited" && end.output.bytes.length).toBeLessThanOrEqual(65_536);
  expect(textOf(end)).toMatch(/^begin\.+\n\[loopx left out \d+ bytes here\]\n\.+end$/);
  expect(most - before).toBeLessThan(60_000_000);
});

test("a program that is not there is refused", async () => {
  expect(await run(["loopx-no-such-program"])).toMatchObject({ kind: "not_started", reason: "program_missing" });
  expect(await run(["./nothing"])).toMatchObject({ kind: "not_started", reason: "program_missing" });
});

test("a script whose interpreter is not there is refused", async () => {
  writeFileSync(join(folder, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
  expect(await run(["./script"])).toMatchObject({ kind: "not_started", reason: "program_missing" });
});

test("what may not be run is refused", async () => {
  writeFileSync(join(folder, "data"), "data");
  chmodSync(join(folder, "data"), 0o644);
  expect(await run(["./data"])).toMatchObject({ kind: "not_started", reason: "not_executable" });
  expect(await run([folder])).toMatchObject({ kind: "not_started", reason: "not_executable" });
});

test("a folder that is not there, or is a file, is refused and not taken for a missing program", async () => {
  writeFileSync(join(folder, "file"), "");
  for (const cwd of [join(folder, "gone"), join(folder, "file")]) {
    expect(await node("", { cwd })).toMatchObject({ kind: "not_started", reason: "folder_missing" });
  }
});

test("arguments that no program can get are refused", async () => {
  expect(await run([])).toMatchObject({ kind: "not_started", reason: "unusable_arguments" });
  expect(await run([""])).toMatchObject({ kind: "not_started", reason: "unusable_arguments" });
  expect(await run(["true", "a\0b"])).toMatchObject({ kind: "not_started", reason: "unusable_arguments" });
  expect(await run(["true", "x".repeat(4_000_000)])).toMatchObject({ kind: "not_started", reason: "unusable_arguments" });
});

test("a program that deletes the folder it runs in still has an end", async () => {
  const cwd = join(folder, "own");
  mkdirSync(cwd);
  const end = await node('require("node:fs").rmSync(process.cwd(), { recursive: true }); console.log("left")', { cwd });
  expect(end).toMatchObject({ kind: "exited", exit_code: 0 });
});
