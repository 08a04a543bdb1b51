// The demonstration as `npm start` runs it, on the built program.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const DEMO = join(ROOT, "dist/demo.cjs");
const LOOPX = join(ROOT, "dist/loopx.cjs");
const WHOLE = "13 todos closed; 1 monitor looked after";

let temporary = "";

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(ROOT, "scripts/start.mjs"), "--once"], { encoding: "utf8" });
  expect([built.status, built.stdout]).toEqual([0, expect.stringContaining("loopx status")]);
  temporary = mkdtempSync(join(tmpdir(), "loopx-demo-test-"));
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Nothing of the machine it runs on: no registry, no home, sample projects in a folder of the test. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: temporary, HOME: temporary, LOOPX_REGISTRY: join(temporary, "none.json") };
}

function projects(): readonly string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("loopx-demo-"));
}

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON records that tests look into.
function loopx(project: string, ...args: readonly string[]): any {
  const registry = join(project, ".loopx/registry.json");
  const env = { ...environment(), LOOPX_REGISTRY: registry };
  const run = spawnSync(process.execPath, [LOOPX, ...args, "--json"], { cwd: project, encoding: "utf8", env });
  return JSON.parse(
    run.stdout.trim().split("\n").at(-1)?.startsWith('{"') ? (run.stdout.trim().split("\n").at(-1) ?? "") : run.stdout,
  );
}

interface Row {
  readonly todo_id: string;
  readonly status: string;
}

function idsWith(project: string, wanted: string): readonly string[] {
  const rows: readonly Row[] = ["accounts", "site", "release"].flatMap(
    (goal) => loopx(project, "todo", "list", "--goal-id", goal, "--limit", "100").todos,
  );
  return rows.flatMap(({ todo_id, status }) => (status === wanted ? [todo_id] : [])).toSorted();
}

/** How often each todo was closed, in the journal's own words. */
async function closings(project: string): Promise<readonly string[]> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const store = new DatabaseSync(join(project, ".loopx/runtime/loopx.db"), { readOnly: true });
  const rows = store.prepare("select data from events where type = 'todo.closed'").all() as { data: string }[];
  store.close();
  return rows.map(({ data }) => JSON.parse(data).todo_id).toSorted();
}

function answerCommand(text: string): string {
  return /^ {2}(node .* gate approve .*)$/m.exec(text)?.[1] ?? "exit 9";
}

const DONE_FIRST = [
  "todo_fetch",
  "todo_links",
  "todo_map",
  "todo_pack",
  "todo_parse",
  "todo_render",
  "todo_report",
  "todo_search",
  "todo_sum",
  "todo_test",
  "todo_totals",
];

test("N1, N2: --once sees the damage, does what can be done, and leaves nothing", () => {
  const run = spawnSync(process.execPath, [DEMO, "--once"], { encoding: "utf8", env: environment() });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  for (const part of ["6 goals, 3 wait for a person", "damaged index", "not registered", "Next: `loopx drift"])
    expect(run.stdout).toContain(part);
  expect(run.stdout).toContain("Done: 11 todos closed, 2 wait for your answer; 1 monitor looked after.");
  expect(run.stdout.split("\n").filter((line) => line.startsWith("|") && line.length > 80)).toEqual([]);
  expect(projects()).toEqual([]);
  const shape = (text: string): string =>
    text.replaceAll(/\S*loopx-demo-work-\w+/g, "PROJECT").replaceAll(/node \S+loopx\.cjs/g, "node LOOPX");
  const screen = shape(run.stdout.slice(run.stdout.indexOf("Done: ")).trimEnd());
  expect(shape(readFileSync(join(ROOT, "README.md"), "utf8"))).toContain(screen);
}, 60_000);

test("each todo is closed once, a failed check is repaired, and the answer that is printed makes the rest run", async () => {
  const run = spawnSync(process.execPath, [DEMO, "--once", "--keep"], { encoding: "utf8", env: environment() });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  const name = projects().find((each) => each.startsWith("loopx-demo-work-")) ?? "";
  const project = realpathSync(join(temporary, name));
  expect(idsWith(project, "done")).toEqual(DONE_FIRST);
  expect(idsWith(project, "open")).toEqual(["todo_announce", "todo_approve", "todo_publish", "todo_size"]);
  expect(await closings(project)).toEqual(DONE_FIRST);
  const { evidence } = loopx(project, "evidence", "list", "--goal-id", "accounts", "--todo-id", "todo_parse");
  expect(evidence.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["passed", "failed"]);
  expect(existsSync(join(project, "public"))).toBe(false);

  const answer = spawnSync("bash", ["-c", answerCommand(run.stdout)], { encoding: "utf8", env: environment() });
  expect([answer.status, answer.stderr]).toEqual([0, ""]);
  expect(loopx(project, "launch", "--agent", "ada", "--agent", "bob", "--idle-exit", "1")).toMatchObject({ outcome: "clean" });
  expect(idsWith(project, "open")).toEqual(["todo_size"]);
  expect(await closings(project)).toEqual([...DONE_FIRST, "todo_announce", "todo_publish"].toSorted());
  expect(readFileSync(join(project, "public/ANNOUNCEMENT.md"), "utf8")).toContain("SHA-256");
  for (const left of projects()) rmSync(join(temporary, left), { recursive: true });
}, 90_000);

test("an option that it does not have is refused", () => {
  const run = spawnSync(process.execPath, [DEMO, "--twice"], { encoding: "utf8", env: environment() });
  expect([run.status, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("--once");
});

interface Running {
  readonly demo: ChildProcess;
  readonly text: string;
}

/** Until it says what to try. */
async function started(...args: readonly string[]): Promise<Running> {
  const demo = spawn(process.execPath, [DEMO, ...args], { env: environment(), stdio: ["ignore", "pipe", "inherit"] });
  const running = { demo, text: "" };
  demo.stdout.on("data", (chunk) => {
    running.text += String(chunk);
  });
  await until(running, "loopx status --watch");
  return running;
}

async function until(running: Running, words: string): Promise<void> {
  while (!running.text.includes(words)) await once(running.demo.stdout ?? running.demo, "data");
}

async function interrupted(demo: ChildProcess): Promise<number | null> {
  demo.kill("SIGINT");
  const [exit] = await once(demo, "exit");
  return exit;
}

test("serves the status until Ctrl-C, goes on after the answer, then takes the projects away; every hint can be pasted", async () => {
  const running = await started();
  const { demo, text } = running;
  const url = /http:\/\/127\.0\.0\.1:\d+\/status/.exec(text)?.[0] ?? "";
  const served = await (await fetch(url)).json();
  expect(served).toMatchObject({ ok: true, goal_count: 3 });
  const answer = spawnSync("bash", ["-c", answerCommand(text)], { encoding: "utf8", env: environment() });
  expect([answer.status, answer.stderr]).toEqual([0, ""]);
  const script = text.slice(text.indexOf("  cd ")).replace(/^ +loopx status --watch.*$/m, "  loopx status");
  const shell = spawnSync("bash", ["-O", "expand_aliases", "-e", "-c", script.replaceAll(/^ {2}/gm, "")], {
    encoding: "utf8",
    env: { ...environment(), LOOPX_REGISTRY: "" },
  });
  expect([shell.status, shell.stderr]).toEqual([0, ""]);
  expect(shell.stdout).toContain("# importer");
  expect(shell.stdout).toMatch(/Repaired: [1-9]/);
  await until(running, WHOLE);
  expect(await interrupted(demo)).toBe(0);
  expect(projects()).toEqual([]);
}, 90_000);

test("N1: --keep leaves the projects where it said", async () => {
  const { demo, text } = await started("--keep");
  expect(await interrupted(demo)).toBe(0);
  const folder = /^ {2}cd (.+)$/m.exec(text)?.[1] ?? "";
  expect(existsSync(join(folder, ".loopx/registry.json"))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, ".loopx/registry.json"), "utf8")).goals).toHaveLength(5);
}, 60_000);
