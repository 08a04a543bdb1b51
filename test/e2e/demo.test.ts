// The demonstration as `npm start` runs it, on the built program.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const DEMO = join(ROOT, "dist/demo.cjs");

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

test("N1, N2: --once ends with 0 when the picture stands, and leaves nothing", () => {
  const run = spawnSync(process.execPath, [DEMO, "--once"], { encoding: "utf8", env: environment() });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  for (const part of ["6 goals, 3 wait for a person", "index_damaged", "runtime_goal_not_registered", "Next: `loopx drift"])
    expect(run.stdout).toContain(part);
  expect(run.stdout.split("\n").filter((line) => line.startsWith("|") && line.length > 80)).toEqual([]);
  expect(projects()).toEqual([]);
});

test("the screen in the README is what it prints", () => {
  const { stdout } = spawnSync(process.execPath, [DEMO, "--once"], { encoding: "utf8", env: environment() });
  const screen = stdout.slice(stdout.indexOf("$ loopx status"), stdout.indexOf("$ loopx drift")).trimEnd();
  expect(screen).not.toBe("");
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain(screen);
});

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
  let text = "";
  for await (const chunk of demo.stdout) {
    text += String(chunk);
    if (text.includes("loopx status --watch")) break;
  }
  return { demo, text };
}

async function interrupted(demo: ChildProcess): Promise<number | null> {
  demo.kill("SIGINT");
  const [exit] = await once(demo, "exit");
  return exit;
}

test("serves the status until Ctrl-C, then takes the project away; every hint can be pasted", async () => {
  const { demo, text } = await started();
  const url = /http:\/\/127\.0\.0\.1:\d+\/status/.exec(text)?.[0] ?? "";
  const answer = await (await fetch(url)).json();
  expect(answer).toMatchObject({ ok: true, goal_count: 6 });
  const script = text.slice(text.indexOf("  cd ")).replace(/^ +loopx status --watch.*$/m, "  loopx status");
  const shell = spawnSync("bash", ["-O", "expand_aliases", "-e", "-c", script.replaceAll(/^ {2}/gm, "")], {
    encoding: "utf8",
    env: { ...environment(), LOOPX_REGISTRY: "" },
  });
  expect([shell.status, shell.stderr]).toEqual([0, ""]);
  expect(shell.stdout).toContain("# importer");
  expect(shell.stdout).toMatch(/Repaired: [1-9]/);
  expect(await interrupted(demo)).toBe(0);
  expect(projects()).toEqual([]);
});

test("N1: --keep leaves the project where it said", async () => {
  const { demo, text } = await started("--keep");
  expect(await interrupted(demo)).toBe(0);
  const folder = /^ {2}cd (.+)$/m.exec(text)?.[1] ?? "";
  expect(existsSync(join(folder, ".loopx/registry.json"))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, ".loopx/registry.json"), "utf8")).goals).toHaveLength(5);
});
