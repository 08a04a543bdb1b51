/** What people, programs and attackers leave in the files and say on the command line: one bad thing never spoils the others. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answer,
  bytesBelow,
  type Json,
  loopx,
  ownFiles,
  type Project,
  project,
  projectIn,
  run,
  STATE,
  writeTo,
} from "../faults/program.ts";

let of: Project;

beforeEach(() => {
  of = project(["alpha", "beta"]);
});

afterEach(() => of.remove());

/** The other goal is right, whatever is wrong with the first. */
async function betaIsRight(): Promise<Json> {
  const status = await answer(of, "status");
  const beta = status.goals.find((goal: Json) => goal.goal_id === "beta");
  expect(beta).toMatchObject({ next_action: "Begin.", todos: { open: 2 }, problems: [] });
  return status;
}

describe("ids on the command line", () => {
  const UNSAFE = [
    "../../x",
    "..",
    ".",
    "a/b",
    "a\\b",
    "/etc/passwd",
    "",
    " ",
    " g",
    "g.",
    "CON",
    "nul.txt",
    "x".repeat(300),
    "a\u001bb",
    "a\nb",
    "\u202eb",
  ];

  async function refused(id: string, commands: readonly (readonly string[])[]): Promise<void> {
    await answer(of, "status");
    const before = ownFiles(of);
    for (const words of commands) {
      const { exit, stdout } = await loopx(of, ...words, `--goal-id=${id}`);
      expect([words, exit]).toEqual([words, 2]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    }
    expect(ownFiles(of)).toEqual(before);
  }

  test.each(UNSAFE)("%j is refused, and nothing is touched", (id) => refused(id, [["refresh"], ["goal", "show"]]));

  test("every command refuses the way out of the folder", () =>
    refused("../../x", [
      ["status"],
      ["history"],
      ["drift"],
      ["goal", "add", "--objective", "x"],
      ["goal", "stop"],
      ["goal", "remove"],
      ["archive"],
      ["restore"],
      ["rebuild"],
    ]));

  test.each(["%2e%2e%2f", "__proto__", "constructor", "hasOwnProperty", "nope"])("%j is a goal that is not there", async (id) => {
    for (const words of [["refresh"], ["status"], ["history"], ["goal", "show"]]) {
      const { exit, stdout } = await loopx(of, ...words, "--goal-id", id);
      expect([words, exit]).toEqual([words, 3]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: "unknown_goal" });
    }
  });
});

describe("a hostile registry", () => {
  test("unsafe ids are told with their line and never followed", async () => {
    const secret = join(of.folder, "secret");
    writeTo(join(secret, "runs/index.jsonl"), '{"generated_at":"2026-01-01T00:00:00Z","classification":"stolen"}\n');
    const registry: Json = JSON.parse(readFileSync(of.registry, "utf8"));
    const hostile = ["../../secret", "..", "a/b", "CON", "g.", " g", "x\u0000y", 7, null, "../../../secret"];
    registry.goals.push(...hostile.map((id) => ({ id, state_file: "goals/beta/ACTIVE_GOAL_STATE.md", repo: "." })));
    writeFileSync(of.registry, JSON.stringify(registry, null, 2));
    const status = await betaIsRight();
    const { problems } = JSON.parse((await loopx(of, "registry")).stdout);
    expect(problems.length).toBeGreaterThanOrEqual(hostile.length);
    expect(problems.every((problem: Json) => problem.path === of.registry && problem.line > 1)).toBe(true);
    expect(status.problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(status)).not.toContain("stolen");
    expect((await loopx(of, "refresh", "--goal-id", "beta")).exit).toBe(0);
  });

  test("an id that is there twice is shown as a problem, and writes to it are refused", async () => {
    const registry: Json = JSON.parse(readFileSync(of.registry, "utf8"));
    registry.goals.push({ ...registry.goals[0] });
    writeFileSync(of.registry, JSON.stringify(registry, null, 2));
    await betaIsRight();
    const status = await answer(of, "status", "--goal-id", "alpha");
    expect(status.goals[0].problems.length).toBeGreaterThan(0);
    const { exit, stdout } = await loopx(of, "refresh", "--goal-id", "alpha");
    expect([exit, JSON.parse(stdout).ok]).toEqual([1, false]);
    expect((await loopx(of, "refresh", "--goal-id", "beta")).exit).toBe(0);
  });

  test.each([
    ["A", "a"],
    ["caf\u00e9", "cafe\u0301"],
  ])("%j and %j would be one folder somewhere: both are problems", async (one, two) => {
    const registry: Json = JSON.parse(readFileSync(of.registry, "utf8"));
    registry.goals.push({ ...registry.goals[0], id: one }, { ...registry.goals[0], id: two });
    writeFileSync(of.registry, JSON.stringify(registry, null, 2));
    await betaIsRight();
    for (const id of [one, two]) expect((await loopx(of, "refresh", "--goal-id", id)).exit).toBe(1);
  });

  test("keys that name parts of every object are data", async () => {
    const text = readFileSync(of.registry, "utf8").replace(
      '"goals"',
      '"__proto__": {"polluted": true}, "constructor": {"x": 1}, "goals"',
    );
    writeFileSync(
      of.registry,
      text.replace('"domain"', '"__proto__": {"goal_id": "evil", "state_file": "/etc/passwd"}, "domain"'),
    );
    const before = readFileSync(of.registry, "utf8");
    await betaIsRight();
    expect((await loopx(of, "refresh", "--goal-id", "alpha")).exit).toBe(0);
    const stopped = await loopx(of, "goal", "stop", "--goal-id", "alpha", "--reason", "rest");
    expect(stopped.exit).toBe(0);
    const after = readFileSync(of.registry, "utf8");
    expect(after).toContain('"__proto__": {"polluted": true}');
    expect(after).toContain('"__proto__": {"goal_id": "evil", "state_file": "/etc/passwd"}');
    expect(after).not.toBe(before);
  });

  test.each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["no JSON", (path) => writeFileSync(path, '{"goals": [\n  {"id": "alpha"')],
    ["100,000 brackets", (path) => writeFileSync(path, "[".repeat(100_000))],
    ["no text", (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe]))],
    ["empty", (path) => writeFileSync(path, "")],
  ])("in the place of the registry: %s is told with its path, and left alone", async (_, put) => {
    await answer(of, "status");
    rmSync(of.registry);
    put(of.registry);
    for (const words of [
      ["status"],
      ["refresh", "--goal-id", "alpha"],
      ["goal", "add", "--goal-id", "g", "--objective", "x"],
      ["init", "--objective", "x"],
    ]) {
      const before = ownFiles(of);
      const { exit, stdout } = await loopx(of, ...words);
      expect([words, exit]).toEqual([words, 2]);
      expect(JSON.stringify(JSON.parse(stdout))).toContain(of.registry);
      expect(ownFiles(of)).toEqual(before);
    }
  });
});

describe("a hostile state file", () => {
  test.each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["bytes that are no text", (path) => writeFileSync(path, Buffer.concat([Buffer.from(STATE), Buffer.from([0xff])]))],
    ["U+0000", (path) => writeFileSync(path, `${STATE}\u0000`)],
    ["a link to nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a link to a file of the system", (path) => symlinkSync("/etc/hostname", path)],
    ["a device", (path) => symlinkSync("/dev/zero", path)],
  ])("%s is told, spoils no other goal, and is not written", async (_, put) => {
    unlinkSync(of.stateFile());
    put(of.stateFile());
    const status = await betaIsRight();
    expect(status.goals[0].drift.length).toBeGreaterThan(0);
    const { exit, stdout } = await loopx(of, "refresh", "--goal-id", "alpha", "--next-action", "Go on.");
    expect([2, 3]).toContain(exit);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    expect((await loopx(of, "refresh", "--goal-id", "beta")).exit).toBe(0);
    expect(readFileSync("/etc/hostname", "utf8")).not.toContain("Go on.");
  });

  test.each([
    ["100,000 brackets", "[".repeat(100_000)],
    ["a line of 10 MB", "x".repeat(10_000_000)],
    ["100,000 headings", "## Agent Todo\n".repeat(100_000)],
    ["50,000 open comments", "- [ ] a <!-- loopx:todo \n".repeat(50_000)],
  ])("%s are read in bounded time", async (_, text) => {
    writeFileSync(of.stateFile(), `${STATE}\n## Notes\n\n${text}\n`);
    const began = performance.now();
    await betaIsRight();
    expect((await loopx(of, "refresh", "--goal-id", "alpha")).exit).toBe(0);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("control characters in titles reach no terminal", async () => {
    const evil = "\u001b[2J\u001b]52;c;ZXZpbA==\u0007 \u009b31m red \u202e evil";
    writeFileSync(of.stateFile(), STATE.replace("Write it down", `Write ${evil}`).replace("Begin.", `Begin ${evil}`));
    for (const words of [
      ["status"],
      ["status", "--goal-id", "alpha"],
      ["goal", "show", "--goal-id", "alpha"],
      ["drift"],
      ["history"],
    ]) {
      const text = await run([...of.argv(...words).slice(0, -1)], { cwd: of.folder });
      expect([words, text.exit]).toEqual([words, 0]);
      expect(`${text.stdout}${text.stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      const json = await loopx(of, ...words);
      expect(json.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
    }
  });
});

describe("a hostile runtime root", () => {
  test("a goal's folder that is a link leads nothing out: no byte is read or written there", async () => {
    const outside = project(["gamma"]);
    try {
      writeTo(
        join(outside.folder, "runs/index.jsonl"),
        '{"generated_at":"2026-01-01T00:00:00Z","goal_id":"alpha","classification":"stolen"}\n',
      );
      mkdirSync(join(of.root, "goals"), { recursive: true });
      symlinkSync(outside.folder, join(of.root, "goals/alpha"));
      const before = bytesBelow(outside.folder);
      const refreshed = await answer(of, "refresh", "--goal-id", "alpha");
      expect(refreshed).toMatchObject({ ok: true, appended: true });
      expect(refreshed.warnings.length).toBeGreaterThan(0);
      const status = await betaIsRight();
      expect(JSON.stringify(status)).not.toContain("stolen");
      expect((await answer(of, "history")).run_count).toBe(1);
      expect(bytesBelow(outside.folder)).toEqual(before);
    } finally {
      outside.remove();
    }
  });

  const GOOD = '{"generated_at":"2026-01-01T00:00:00+00:00","goal_id":"alpha","classification":"progress","json_path":"/a.json"}';
  test.each<[string, string | Buffer, number]>([
    ["a torn last line", `${GOOD}\n{"generated_at":"2026-01-0`, 1],
    ["half a character", Buffer.concat([Buffer.from(`${GOOD}\n{"x":"caf`), Buffer.from([0xc3])]), 1],
    ["zeros", `${GOOD}\n${"\u0000".repeat(4096)}`, 1],
    ["100,000 brackets", `${"[".repeat(100_000)}\n${GOOD}\n`, 1],
    ["a line of 10 MB", `{"x":"${"y".repeat(10_000_000)}\n${GOOD}\n`, 1],
    ["keys of every object", `{"__proto__":{"classification":"evil"},"constructor":1}\n${GOOD}\n`, 1],
    ["no objects", `[]\n1\n"x"\nnull\n${GOOD}\n`, 1],
  ])("an index with %s: the good rows stand, the damage is told, the next run is readable", async (_, text, good) => {
    const index = join(of.root, "goals/alpha/runs/index.jsonl");
    writeTo(index, text);
    const bytes = readFileSync(index);
    const status = await betaIsRight();
    const alpha = status.goals.find((goal: Json) => goal.goal_id === "alpha");
    expect(alpha.latest_run.classification).toBe("progress");
    expect((await loopx(of, "refresh", "--goal-id", "alpha", "--classification", "mine")).exit).toBe(0);
    expect(readFileSync(index).subarray(0, bytes.length).equals(bytes)).toBe(true);
    const history = await answer(of, "history", "--goal-id", "alpha");
    expect(history.runs.filter((row: Json) => row.classification === "progress")).toHaveLength(good);
    expect(history.runs.filter((row: Json) => row.classification === "mine")).toHaveLength(1);
  });

  test("a folder in the place of the index is damage of that goal alone", async () => {
    mkdirSync(join(of.root, "goals/alpha/runs/index.jsonl"), { recursive: true });
    const status = await betaIsRight();
    expect(status.goals.find((goal: Json) => goal.goal_id === "alpha").problems.length).toBeGreaterThan(0);
    const refreshed = await answer(of, "refresh", "--goal-id", "alpha");
    expect(refreshed.warnings.length).toBeGreaterThan(0);
    expect((await answer(of, "history", "--goal-id", "alpha")).run_count).toBe(1);
  });

  test("stray names beside the goals are ignored", async () => {
    const goals = join(of.root, "goals");
    for (const name of [".DS_Store", "con", "g. ", "..x"]) writeTo(join(goals, name, "x"), "");
    writeTo(join(goals, "file"), "");
    symlinkSync("/etc", join(goals, "link"));
    await betaIsRight();
    expect(readdirSync(goals)).toContain("link");
  });

  test("a store that is a folder, or no store, is a fault with a hint, and is left alone", async () => {
    mkdirSync(join(of.root, "loopx.db"), { recursive: true });
    const folder = await loopx(of, "status");
    expect([folder.exit, JSON.parse(folder.stdout).ok]).toEqual([5, false]);
    rmSync(join(of.root, "loopx.db"), { recursive: true });
    writeFileSync(join(of.root, "loopx.db"), "this is no store, and it is long enough to be looked at".repeat(100));
    const before = readFileSync(join(of.root, "loopx.db"));
    for (const words of [["status"], ["refresh", "--goal-id", "alpha"]]) {
      const { exit, stdout } = await loopx(of, ...words);
      expect([words, exit]).toEqual([words, 5]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: "store_damaged" });
    }
    expect(readFileSync(join(of.root, "loopx.db")).equals(before)).toBe(true);
  });
});

test("a project is the same through a link, from below, and under another name", async () => {
  await answer(of, "refresh", "--goal-id", "alpha");
  const link = `${of.folder}.link`;
  symlinkSync(of.folder, link);
  try {
    expect(await answer(projectIn(link), "history")).toEqual(await answer(of, "history"));
    const below = await run(of.argv("history"), { cwd: join(of.folder, "goals/alpha") });
    expect(JSON.parse(below.stdout)).toEqual(await answer(of, "history"));
  } finally {
    unlinkSync(link);
  }
});
