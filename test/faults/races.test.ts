/** Many processes at once on one project: nothing is lost, nothing is there twice, nobody waits for long. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { facts, nothingStrangeIn, rowsOf, runsIn } from "./look.ts";
import { answer, type Json, loopx, type Project, project } from "./program.ts";

// Inside the project, so that the child finds the engine's package.
const BUNDLES = join(import.meta.dirname, "../../node_modules/.cache");
let bundle = "";
let of: Project;

beforeAll(async () => {
  mkdirSync(BUNDLES, { recursive: true });
  bundle = join(mkdtempSync(join(BUNDLES, "race-child-")), "child.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "race-child.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
});

afterAll(() => rmSync(join(bundle, ".."), { recursive: true, force: true }));

beforeEach(() => {
  of = project();
});

afterEach(() => of.remove());

interface Asked {
  readonly job: string;
  readonly begin: number;
  readonly name: string;
  readonly count: number;
}

function start({ job, begin, name, count }: Asked): ChildProcess {
  return spawn(process.execPath, [bundle, job, of.folder, String(begin), name, String(count)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

function allWell(ends: readonly Ended[]): void {
  expect(ends.filter(({ code, err }) => code !== 0 || err !== "")).toEqual([]);
}

/** Each event has one row in the index, and both files. */
function mirrored(goal: string, runs: number): void {
  const index = readFileSync(join(of.root, "goals", goal, "runs/index.jsonl"), "utf8");
  const rows: Json[] = index
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(runs);
  expect(new Set(rows.map((row) => row.loopx_event)).size).toBe(runs);
  expect(new Set(rows.map((row) => row.json_path)).size).toBe(runs);
  expect(rows.filter((row) => !existsSync(row.json_path) || !existsSync(row.markdown_path))).toEqual([]);
}

test("60 processes register and refresh 60 goals", { timeout: 240_000 }, async () => {
  const names = Array.from({ length: 60 }, (_, at) => `goal-${String(at).padStart(2, "0")}`);
  const begin = Date.now() + 6000;
  allWell(await Promise.all(names.map((name) => ended(start({ job: "own", begin, name, count: 10 })))));
  const registered: Json = JSON.parse(readFileSync(of.registry, "utf8"));
  expect(registered.goals.map((goal: Json) => goal.id).sort()).toEqual(["alpha", ...names]);
  const events = await facts(of);
  expect(runsIn(events)).toBe(60 * 10);
  for (const name of names) {
    const own = events.filter((event) => event.goal_id === name);
    expect(own.map((event) => event.seq)).toEqual(own.map((_, at) => at + 1));
    expect(runsIn(own)).toBe(10);
    expect(readFileSync(join(of.folder, ".codex/goals", name, "ACTIVE_GOAL_STATE.md"), "utf8").includes(`${name} says 9`)).toBe(
      true,
    );
    mirrored(name, 10);
  }
  expect(await answer(of, "status")).toMatchObject({ goal_count: 61, run_count: 600 });
});

test("8 processes refresh one goal while an editor saves its state file", { timeout: 400_000 }, async () => {
  await answer(of, "refresh", "--all");
  const editor = start({ job: "edit", begin: 0, name: "editor", count: 0 });
  const edited = ended(editor);
  const library = ["a", "b", "c", "d"].map((name) => ended(start({ job: "share", begin: 0, name, count: 100 })));
  const command = ["e", "f", "g", "h"].map(async (name) => {
    const ends: Ended[] = [];
    for (let turn = 0; turn < 25; turn += 1) {
      const said = turn % 3 === 0 ? ["--next-action", `${name} says ${turn}`] : [];
      const run = await loopx(of, "refresh", "--goal-id", "alpha", "--turn-instance-id", `${name}-${turn}`, ...said);
      ends.push({ code: run.exit, out: run.stdout, err: run.stderr });
    }
    return ends;
  });
  allWell(await Promise.all(library));
  allWell((await Promise.all(command)).flat());
  editor.stdin?.end("stop");
  const { code, out, err } = await edited;
  expect([code, err]).toEqual([0, ""]);
  await answer(of, "refresh", "--all");
  const saves = Number(out);
  expect(saves).toBeGreaterThan(50);
  const text = readFileSync(of.stateFile(), "utf8");
  const lines = text.split("\n");
  for (let save = 0; save < saves; save += 1) expect(lines).toContain(`- [ ] Saved ${save}`);
  const events = await facts(of);
  expect(runsIn(events)).toBe(500);
  const turns = events.flatMap((event) => (event.type === "run.recorded" ? [event.data.turn_instance_id] : []));
  expect(new Set(turns).size).toBe(500);
  expect(await answer(of, "history", "--goal-id", "alpha")).toMatchObject({ run_count: 500 });
  const status = await answer(of, "status", "--goal-id", "alpha");
  expect(status.goals[0].todos.open).toBe(2 + saves);
  mirrored("alpha", 500);
  nothingStrangeIn(of);
});

test("20 processes send one turn: it is recorded once, and all get the same answer", { timeout: 120_000 }, async () => {
  await answer(of, "refresh", "--all");
  const args = ["refresh", "--goal-id", "alpha", "--turn-instance-id", "turn-1", "--next-action", "Go on."];
  const ends = await Promise.all(Array.from({ length: 20 }, () => loopx(of, ...args)));
  expect(ends.filter(({ exit, stderr }) => exit !== 0 || stderr !== "")).toEqual([]);
  const answers: Json[] = ends.map(({ stdout }) => JSON.parse(stdout));
  expect(answers.filter((each) => each.appended)).toHaveLength(1);
  expect(answers.filter((each) => each.idempotent_replay)).toHaveLength(19);
  expect(new Set(answers.map((each) => JSON.stringify(each.event))).size).toBe(1);
  expect(runsIn(await facts(of))).toBe(1);
  expect(rowsOf(of)).toHaveLength(1);
  const other = await loopx(of, ...args.slice(0, -1), "Another thing.");
  expect(other.exit).toBe(1);
  expect(JSON.parse(other.stdout)).toMatchObject({ ok: false, code: "idempotency_key_reuse" });
});
