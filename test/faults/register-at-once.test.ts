/** Many processes that make one project and register their goals in it, all at once. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groundIn } from "../../src/commands/workspace.sample.ts";
import type { GoalId } from "../../src/core/id.ts";

// Inside the project, so that the child finds the engine's package.
const BUNDLES = join(import.meta.dirname, "../../node_modules/.cache");
let bundle = "";
let folder = "";

beforeAll(async () => {
  mkdirSync(BUNDLES, { recursive: true });
  bundle = join(mkdtempSync(join(BUNDLES, "register-child-")), "child.mjs");
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-register-")));
  mkdirSync(join(folder, ".git"));
  const entry = join(import.meta.dirname, "register-child.ts");
  await build({ entryPoints: [entry], outfile: bundle, bundle: true, platform: "node", format: "esm", target: "node20" });
});

afterAll(() => {
  rmSync(join(bundle, ".."), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

function register(goalId: string): Promise<string> {
  const child = spawn(process.execPath, [bundle, folder, goalId], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (part) => {
    said += part;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0 ? "" : `${goalId}: exit ${code}\n${said}`)));
}

/** Some 900 synced writes, one after the other: seconds on an idle disk, minutes on a busy one. */
const LONGEST = 300_000;

test("60 processes register and refresh 60 goals at once, and none is lost", { timeout: LONGEST }, async () => {
  const ids = Array.from({ length: 60 }, (_, n) => `goal-${n}`);
  const failures = (await Promise.all(ids.map(register))).filter((said) => said !== "");
  expect(failures).toEqual([]);
  const { goals } = JSON.parse(readFileSync(join(folder, ".loopx/registry.json"), "utf8"));
  expect(goals.map((goal: { id: string }) => goal.id).sort()).toEqual([...ids].sort());
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("/.loopx/runtime/\n");
  const { store } = await groundIn(folder).workspace();
  for (const id of ids) {
    const events = await store.events({ goal_id: id as GoalId, order: "oldest_first", limit: 100 });
    expect(events.filter(({ type }) => type === "run.recorded")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "goal.opened")).toHaveLength(1);
    const state = readFileSync(join(folder, `.codex/goals/${id}/ACTIVE_GOAL_STATE.md`), "utf8");
    expect(state).toContain(`Work of ${id}`);
  }
  await store.close();
});
