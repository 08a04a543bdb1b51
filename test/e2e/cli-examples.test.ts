// What a newcomer does: from an empty folder to a loop, and every example of --help, on the built program.
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(ROOT, "dist/loopx.cjs");

let home = "";

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(ROOT, "scripts/start.mjs"), "--once"], { encoding: "utf8" });
  expect(built.status).toBe(0);
  home = realpathSync(mkdtempSync(join(tmpdir(), "loopx-examples-")));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function folder(name: string): string {
  const path = join(home, name);
  mkdirSync(path);
  return path;
}

function loopx(cwd: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, HOME: home, LOOPX_REGISTRY: "", LOOPX_LOG: "" };
  return spawnSync(process.execPath, [PROGRAM, ...args], { cwd, env, encoding: "utf8" });
}

/** A line of shell with nothing but words and double quotes. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "").slice(1);
}

test("loopx alone says what to type in an empty folder, and shows the status of a project", () => {
  const cwd = folder("newcomer");
  const empty = loopx(cwd);
  expect([empty.status, empty.stderr]).toEqual([0, ""]);
  expect(empty.stdout).toContain("loopx init --objective");
  const made = loopx(cwd, "init", "--objective", "Ship the importer");
  expect([made.status, made.stderr]).toEqual([0, ""]);
  expect(made.stdout).toContain("# This folder is a LoopX project");
  const again = loopx(cwd, "init", "--objective", "Ship the importer");
  expect([again.status, again.stdout.includes("nothing changed")]).toEqual([0, true]);
  const inside = loopx(cwd);
  expect([inside.status, inside.stderr]).toEqual([0, ""]);
  expect(inside.stdout).toContain("# LoopX: 1 goal");
});

test("no command names a project where there is none: exit 3 with the command that makes one", () => {
  const none = loopx(folder("nothing"), "status");
  expect([none.status, none.stdout]).toEqual([3, ""]);
  expect(none.stderr).toContain("Try: loopx init --objective");
});

/** They need more than a project: tests of their own show them. */
const ELSEWHERE = new Set([
  "serve",
  "launch",
  "multi-agent launch",
  "agents status",
  "agents logs",
  "agents stop",
  "agents wake",
  "turn submit",
  "lease renew",
  "lease transfer",
  "lease release",
  "task-lease acquire",
  "task-lease renew",
  "task-lease transfer",
  "task-lease release",
  "evidence show",
  "quota monitor-poll",
]);
const DELIVERED = "loopx refresh --goal-id importer --agent-id a1 --delivery-outcome outcome_progress";
const CLAIMED = "loopx claim --goal-id importer --agent-id a1 --todo-id todo_4f2k";
/** What has to have happened before. */
const PREPARED: Readonly<Record<string, readonly string[]>> = {
  "lease show": [CLAIMED],
  done: [CLAIMED],
  verify: [CLAIMED],
  "quota spend-slot": [DELIVERED],
  "quota void-slot": [DELIVERED, "loopx quota spend-slot --goal-id importer --agent-id a1 --execute"],
};
/** Todos that examples name, as a person would have written them. */
const NAMED_TODOS = [
  "",
  "## Agent Todo",
  "",
  "- [ ] Write the parser",
  "  <!-- loopx:todo todo_id=todo_4f2k -->",
  "- [ ] Watch the build",
  "  <!-- loopx:todo todo_id=todo_9b1q task_class=continuous_monitor watch_only=true -->",
  "",
  "## User Todo",
  "",
  "- [ ] Ship it?",
  "  <!-- loopx:todo todo_id=todo_7c3z task_class=user_gate unblocks_todo_id=todo_9b1q -->",
  "",
].join("\n");
/** Commands about todos that are there. */
const ABOUT_TODOS = new Set(["todo", "gate", "operator-gate", "poll", "lease", "task-lease", "why-not", "done", "verify"]);
const EXAMPLES = COMMANDS.filter(({ path }) => !ELSEWHERE.has(path.join(" ")));

test.each(EXAMPLES.map(({ path, example }) => [path.join(" "), example] as const))("the example of %s runs", (name, example) => {
  const cwd = folder(name.replace(" ", "-"));
  if (name !== "init")
    expect(loopx(cwd, "init", "--objective", "Begin", "--goal-id", name === "goal add" ? "other" : "importer").status).toBe(0);
  if (ABOUT_TODOS.has(name.split(" ")[0] ?? ""))
    appendFileSync(join(cwd, ".codex/goals/importer/ACTIVE_GOAL_STATE.md"), NAMED_TODOS);
  if (name !== "init" && name !== "goal add") expect(loopx(cwd, "refresh", "--goal-id", "importer").status).toBe(0);
  if (name === "restore") expect(loopx(cwd, ...words("loopx archive --goal-id importer --allow-registered")).status).toBe(0);
  for (const line of PREPARED[name] ?? []) expect(loopx(cwd, ...words(line)).status).toBe(0);
  const run = loopx(cwd, ...words(example));
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
  const lines = run.stdout.trimEnd().split("\n");
  if (!example.includes("--json")) expect(lines.length).toBeLessThanOrEqual(40);
});
