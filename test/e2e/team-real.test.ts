// The built program with its own workers: a team that works off what there is.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { processesWith } from "../fakes/team-program.ts";
import { AgentProject, endOf, type Todo } from "./agent-project.ts";

let project: AgentProject;
afterEach(() => project.remove());

/** Leaves a line each time that it runs. */
function todo(number: number): Todo {
  const id = `todo_work${number}`;
  return {
    id,
    program: `fs.appendFileSync("ran", "${id}\\n"); fs.writeFileSync("${id}.txt", "");`,
    meta: { validation_command: `test -f ${id}.txt` },
  };
}

function session(): { readonly marker: string; readonly exit: number } {
  return JSON.parse(project.read(".loopx/runtime/launcher/team/supervisor.json"));
}

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

test("four agents finish eight todos, each exactly once, and end when nothing is left", async () => {
  project = new AgentProject(EIGHT.map(todo));
  const { exit, out, err } = await project.loopx("launch", "--agents", "4", "--idle-exit", "0.2", "--json");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(project.read("ran").trim().split("\n").sort()).toEqual(EIGHT.map((number) => `todo_work${number}`));
  expect(project.read("GOAL.md").match(/- \[x\]/g)).toHaveLength(8);
  for (const number of EIGHT) expect(await project.closings(`todo_work${number}`)).toBe(1);
  const over = JSON.parse(out.trim().split("\n").at(-1) ?? "");
  expect(over).toMatchObject({ ok: true, outcome: "clean" });
  expect(over.agents.reduce((sum: number, { turns }: { turns: number }) => sum + turns, 0)).toBe(8);
  expect(processesWith(session().marker)).toEqual([]);
}, 60_000);

test("what hosts print is shown by agents logs, each line under its agent, for the owner alone", async () => {
  project = new AgentProject([{ ...todo(1), program: `console.log("made it"); ${todo(1).program}` }]);
  const launched = await project.loopx("launch", "--agent", "a:b@c", "--idle-exit", "0.2", "--register");
  expect(launched.exit).toBe(0);
  const shown = await project.loopx("agents", "logs", "a:b@c");
  expect(shown.out).toBe("a:b@c out made it\n");
  const { json } = await project.loopx("agents", "logs", "--json");
  expect(json.logs).toMatchObject([{ agent_id: "a:b@c", lines: ["out made it"] }]);
  const { path } = json.logs[0];
  expect(path).toMatch(/\/logs\/a%3Ab%40c\/turn-\w+\.log$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
}, 60_000);

test("a host seen from the folder of the goal is found wherever the team is launched", async () => {
  project = new AgentProject([todo(1)]);
  project.write("work", `#!/usr/bin/env node\nrequire("node:fs").writeFileSync("todo_work1.txt", "");\n`);
  chmodSync(project.path("work"), 0o755);
  const registry = project.path(".loopx/registry.json");
  const team = ["launch", "--registry", registry, "--agents", "1", "--idle-exit", "0.2", "--json"];
  const there = await project.loopxFrom(tmpdir(), ...team, "--host-command-json", '["./work"]');
  expect([there.exit, there.err]).toEqual([0, ""]);
  expect(await project.closings("todo_work1")).toBe(1);
  const gone = await project.loopxFrom(tmpdir(), ...team, "--host-command-json", '["./gone"]');
  expect(gone).toMatchObject({ exit: 1, json: { code: "host_missing" } });
}, 60_000);

test("a team whose folder goes away ends, says so, and needs a person", async () => {
  project = new AgentProject([
    { ...todo(1), program: `fs.rmSync("../ws", { recursive: true });`, meta: { validation_command: "true" } },
    todo(2),
  ]);
  mkdirSync(project.path("ws"));
  const script = project.path("todo_work1.cjs");
  const command = JSON.stringify([process.execPath, script]);
  const { exit, out } = await project.loopx("launch", "--agents", "1", "--workspace", "ws", "--host-command-json", command);
  expect(exit).toBe(3);
  expect(out).toContain(`The workspace ${project.path("ws")} is no folder that can be entered.`);
  expect(out).toContain("(`workspace_missing`)");
  expect(out).toContain("Then `loopx launch --agents=1 ");
  expect(await project.closings("todo_work2")).toBe(0);
}, 60_000);

test("a killed supervisor leaves neither worker nor host, and the next team finishes the work", async () => {
  project = new AgentProject([
    {
      ...todo(1),
      program: `fs.appendFileSync("ran", "x"); if (!fs.existsSync("go")) forever(); else fs.writeFileSync("todo_work1.txt", "");`,
    },
  ]);
  const first = project.start("launch", "--agents", "2", "--json");
  const ended = endOf(first);
  await project.until(() => project.read("ran") === "x");
  const { marker } = session();
  first.kill("SIGKILL");
  await ended;
  project.write("go");
  const next = await project.loopx("launch", "--agents", "2", "--idle-exit", "0.2", "--json");
  expect(next.exit).toBe(0);
  expect(processesWith(marker)).toEqual([]);
  expect(await project.closings("todo_work1")).toBe(1);
}, 90_000);

test("the name that the reference has for it starts a team, too", async () => {
  project = new AgentProject([todo(1)]);
  const launcher = join(import.meta.dirname, "../../visible-multi-agent-launcher");
  const args = [launcher, "--agents", "2", "--runtime-root", project.path(".loopx/runtime"), "--idle-exit", "0.2"];
  const run = spawnSync(process.execPath, args, { cwd: project.folder, encoding: "utf8" });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  expect(await project.closings("todo_work1")).toBe(1);
}, 60_000);

test("a launch spec of the reference is previewed, and launched with --execute", async () => {
  project = new AgentProject([todo(1)]);
  project.write(
    "team.json",
    JSON.stringify({ goal_id: "g", session_name: "s", roles: [{ agent_id: "a", lane_id: "x" }, { agent_id: "b" }] }),
  );
  const preview = await project.loopx("multi-agent", "launch", "--spec", "team.json", "--json");
  expect(preview).toMatchObject({ exit: 0, json: { mode: "dry_run", spec: { session: "s", agents: ["a", "b"], goals: ["g"] } } });
  expect(project.read(".loopx/runtime/launcher/s/supervisor.json")).toBe("");
  const launched = await project.loopx(
    "multi-agent",
    "launch",
    "--spec",
    "team.json",
    "--execute",
    "--idle-exit",
    "0.2",
    "--json",
  );
  expect(launched).toMatchObject({ exit: 0, json: { mode: "detach", session: "s" } });
  await project.until(() => project.read(".loopx/runtime/launcher/s/supervisor.json").includes('"status": "ended"'));
  expect(await project.closings("todo_work1")).toBe(1);
}, 60_000);
