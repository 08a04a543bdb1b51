// Agents run with real processes: the built program, its hosts, and what is left after each of them is killed.
import { afterEach, describe, expect, test } from "vitest";
import { AgentProject, endOf, isAlive, type Todo, WatchedWorker } from "./agent-project.ts";

let project: AgentProject;
afterEach(() => project.remove());

const CHECK = { validation_command: "test -f out.txt" };
const MAKES_IT = `fs.writeFileSync("out.txt", "made");`;

function projectOf(...todos: readonly Todo[]): AgentProject {
  project = new AgentProject(todos);
  return project;
}

test("a chain of todos is done in its order, and a check that fails is repaired by the next turn", async () => {
  projectOf(
    { id: "todo_one", program: MAKES_IT, meta: CHECK },
    {
      id: "todo_two",
      program: `fs.appendFileSync("tries", "x"); if (fs.readFileSync("tries").length > 1) fs.writeFileSync("two.txt", "");`,
      meta: { depends_on: "todo_one", validation_command: "test -f two.txt" },
    },
  );
  const { exit, json } = await project.run("--until-idle");
  expect(
    json.turns.map((turn: { todo_id: string; outcome: string; why: string | null }) => [turn.todo_id, turn.outcome, turn.why]),
  ).toEqual([
    ["todo_one", "completed", null],
    ["todo_two", "failed", "checks_failed"],
    ["todo_two", "completed", null],
  ]);
  expect({ exit, stopped: json.stopped, code: json.code, ok: json.ok }).toEqual({
    exit: 0,
    stopped: "idle",
    code: "complete",
    ok: true,
  });
  expect(project.read("GOAL.md").match(/- \[x\]/g)).toHaveLength(2);
});

test("what nobody could check is refused before the host starts, unless it is accepted", async () => {
  projectOf({ id: "todo_one", program: MAKES_IT });
  const refused = await project.run();
  expect(refused).toMatchObject({ exit: 1, json: { turns: [], stopped: "idle", code: "no_validation", ok: false } });
  expect(project.read("out.txt")).toBe("");
  const { json } = await project.run("--accept-unvalidated");
  expect(json.turns).toMatchObject([{ todo_id: "todo_one", outcome: "completed" }]);
});

test("run takes the options of launch: one agent runs here, several are a team", async () => {
  projectOf({ id: "todo_one", program: MAKES_IT, meta: CHECK }, { id: "todo_two", program: MAKES_IT, meta: CHECK });
  const one = await project.loopx("run", "--agent", "a1", "--foreground", "--max-turns", "1", "--json");
  expect(one).toMatchObject({ exit: 0, json: { agent_id: "a1", turns: [{ outcome: "completed" }] } });
  const two = await project.loopx("run", "--agent", "a1", "--agent-id", "a2", "--json");
  expect(two).toMatchObject({ exit: 2, json: { code: "option_conflict" } });
  const team = await project.loopx("run", "--agents", "2", "--max-load", "1000", "--idle-exit", "0.2");
  expect(team.exit).toBe(0);
  expect(team.out).toContain("# Team `team`: all agents have ended, 1 turn\n");
  const planned = await project.loopx("run", "--agent", "a", "--agent", "b", "--detach", "--dry-run", "--json");
  expect(planned).toMatchObject({ exit: 0, json: { mode: "dry_run", spec: { agents: ["a", "b"] } } });
}, 30_000);

test("the check of the run holds beside those of the todo", async () => {
  projectOf({ id: "todo_one", program: "" });
  const failing = await project.run("--validation-command-json", '["test","-f","out.txt"]');
  expect(failing).toMatchObject({ exit: 1, json: { turns: [{ outcome: "failed", why: "checks_failed" }] } });
  const passing = await project.run("--validation-command-json", '["true"]');
  expect(passing).toMatchObject({ exit: 0, json: { turns: [{ outcome: "completed" }] } });
});

test("a host knows its turn, finds loopx, and hands over what came of it", async () => {
  projectOf({
    id: "todo_one",
    program: `fs.writeFileSync("env.json", JSON.stringify(process.env));
      sh("loopx", "turn", "submit", "--kind", "validated_completion", "--summary", "Built $(it)", "--next", "Ship it; now", "--input-tokens", "7");
      ${MAKES_IT}`,
    meta: CHECK,
  });
  const { json } = await project.run();
  expect(json.turns).toMatchObject([{ outcome: "completed", summary: "Built $(it)", usage: { input_tokens: 7 } }]);
  const env = JSON.parse(project.read("env.json"));
  expect(env).toMatchObject({
    LOOPX_GOAL_ID: "g",
    LOOPX_AGENT_ID: "a1",
    LOOPX_TODO_ID: "todo_one",
    LOOPX_TURN_ID: json.turns[0].turn_id,
    LOOPX_REGISTRY: project.path(".loopx/registry.json"),
    LOOPX_RUNTIME_ROOT: project.path(".loopx/runtime"),
  });
  expect(project.read("GOAL.md")).toContain("- [ ] Ship it; now");
});

test("progress leaves the todo open, and a question holds it up until it is answered", async () => {
  projectOf({
    id: "todo_one",
    program: `const kind = fs.existsSync("half") ? "user_action_required" : "validated_progress"; fs.writeFileSync("half", "");
      sh("loopx", "turn", "submit", "--kind", kind, "--summary", "Which colour?");`,
    meta: CHECK,
  });
  const { json } = await project.run("--until-idle");
  expect(json.turns.map((turn: { outcome: string }) => turn.outcome)).toEqual(["progress", "ask"]);
  expect(json).toMatchObject({ stopped: "idle", code: "gate" });
  expect(project.read("GOAL.md")).toContain("- [ ] Which colour?");
});

const WAITS = `fs.appendFileSync("ran", "x"); fs.writeFileSync("host.pid", String(process.pid)); if (!fs.existsSync("go")) forever(); else { ${MAKES_IT} }`;

function hostPid(): number {
  return Number(project.read("host.pid"));
}

test("a host that is killed gives its todo back, and the next turn finishes it once", async () => {
  projectOf({ id: "todo_one", program: WAITS, meta: CHECK });
  const running = project.run();
  await project.until(() => hostPid() > 0);
  process.kill(hostPid(), "SIGKILL");
  const { exit, json } = await running;
  expect({ exit, turns: json.turns }).toMatchObject({ exit: 1, turns: [{ outcome: "failed", why: "crashed" }] });
  project.write("go");
  expect((await project.run()).json.turns).toMatchObject([{ outcome: "completed" }]);
  expect(await project.closings("todo_one")).toBe(1);
});

describe("a runner that is killed while its host runs", () => {
  test("leaves a turn that has failed; its host is ended, and the todo is finished once by the next run", async () => {
    projectOf({ id: "todo_one", program: WAITS, meta: CHECK });
    const runner = project.start("run", "--goal-id", "g", "--agent-id", "a1");
    const ended = endOf(runner);
    await project.until(() => hostPid() > 0);
    runner.kill("SIGKILL");
    await ended;
    const orphan = hostPid();
    project.write("go");
    const { json } = await project.run();
    expect(isAlive(orphan)).toBe(false);
    expect(json.turns).toMatchObject([
      { outcome: "failed", why: "crashed", todo_id: "todo_one" },
      { outcome: "completed", todo_id: "todo_one" },
    ]);
    expect(project.read("ran")).toBe("xx");
    expect(await project.closings("todo_one")).toBe(1);
    expect((await project.run()).json.turns).toEqual([]);
  });

  test("leaves a result that counts when it was handed over: the host does not run again", async () => {
    const submit = `sh("loopx", "turn", "submit", "--kind", "validated_completion", "--summary", "Built");`;
    projectOf({
      id: "todo_one",
      program: `fs.appendFileSync("ran", "x"); ${MAKES_IT} ${submit} fs.writeFileSync("host.pid", String(process.pid)); forever();`,
      meta: CHECK,
    });
    const runner = project.start("run", "--goal-id", "g", "--agent-id", "a1");
    const ended = endOf(runner);
    await project.until(() => hostPid() > 0);
    runner.kill("SIGKILL");
    await ended;
    const { json } = await project.run();
    expect(json.turns).toMatchObject([{ outcome: "completed", summary: "Built" }]);
    expect({ ran: project.read("ran"), alive: isAlive(hostPid()) }).toEqual({ ran: "x", alive: false });
    expect(await project.closings("todo_one")).toBe(1);
  });
});

test("a host whose lease is lost is stopped, and what it did counts for nothing", async () => {
  projectOf({ id: "todo_one", program: WAITS, meta: CHECK });
  const running = project.run("--ttl-seconds", "1.2");
  await project.until(() => hostPid() > 0);
  project.edit((text) => text.replace("- [ ] Do todo_one", "- [x] Do todo_one"));
  const { json } = await running;
  expect(json.turns).toMatchObject([{ outcome: "failed", why: "lease_lost" }]);
  expect(isAlive(hostPid())).toBe(false);
});

test("a host that runs too long is stopped with everything that it started", async () => {
  projectOf({
    id: "todo_one",
    program: `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
      fs.writeFileSync("host.pid", String(child.pid)); forever();`,
    meta: CHECK,
  });
  const { json } = await project.run("--turn-timeout", "0.6", "--grace", "0.2");
  expect(json.turns).toMatchObject([{ outcome: "failed", why: "timeout_hard" }]);
  expect(isAlive(hostPid())).toBe(false);
});

test("a host that prints nothing for too long is stopped", async () => {
  projectOf({ id: "todo_one", program: `fs.writeFileSync("host.pid", String(process.pid)); forever();`, meta: CHECK });
  const silent = await project.run("--turn-idle-timeout", "0.6", "--grace", "0.2");
  expect(silent.json.turns).toMatchObject([{ outcome: "failed", why: "timeout_idle" }]);
  expect(isAlive(hostPid())).toBe(false);
});

describe("a worker", () => {
  const worker = (...more: readonly string[]): WatchedWorker =>
    new WatchedWorker(project.start("run", "--worker", "--goal-id", "g", "--agent-id", "a1", ...more));

  test("reports each step, wakes when a person edits the file, and drains", async () => {
    projectOf({ id: "todo_one", program: MAKES_IT, meta: CHECK });
    const watched = worker();
    await project.until(() => watched.has("idle"));
    expect(watched.reports.map(({ event }) => event)).toEqual([
      "deciding",
      "claimed",
      "turn_started",
      "turn_settled",
      "deciding",
      "idle",
    ]);
    project.edit((text) =>
      text.replace(
        "## Agent Todo\n",
        `## Agent Todo\n\n- [ ] Another\n  <!-- loopx:todo todo_id=todo_two run=%5B%22true%22%5D validation_command=true -->\n`,
      ),
    );
    await project.until(() => watched.reports.filter(({ event }) => event === "turn_settled").length === 2);
    watched.order({ do: "drain" });
    expect(await watched.ended).toBe(0);
    expect(watched.last()).toMatchObject({ event: "stopped", reason: "drained", turns: 2 });
  });

  test("finishes its turn when nobody orders any more", async () => {
    projectOf({
      id: "todo_one",
      program: `${WAITS} const look = setInterval(() => { if (fs.existsSync("go")) { ${MAKES_IT} process.exit(); } }, 20);`,
      meta: CHECK,
    });
    const watched = worker();
    await project.until(() => hostPid() > 0);
    watched.hangUp();
    project.write("go");
    expect(await watched.ended).toBe(0);
    expect(watched.reports.slice(-2)).toMatchObject([
      { event: "turn_settled", outcome: "completed" },
      { event: "stopped", reason: "drained" },
    ]);
  });

  test("ends its host when it is told to stop, and gives the todo back", async () => {
    projectOf({ id: "todo_one", program: WAITS, meta: CHECK });
    const watched = worker();
    await project.until(() => hostPid() > 0);
    watched.order({ do: "stop" });
    expect(await watched.ended).toBe(0);
    expect(watched.last()).toMatchObject({ event: "stopped", reason: "stopped" });
    expect(isAlive(hostPid())).toBe(false);
    expect(project.read("GOAL.md")).not.toContain("claimed_by=a1");
  });

  test.each([
    [
      `console.log('{"loopx_event":"rate_limited","until":"2999-01-01T00:00:00Z"}'); process.exitCode = 1;`,
      4,
      { reason: "rate_limited", until: /^20/ },
    ],
    [`console.log('{"loopx_event":"auth_failed"}'); process.exitCode = 1;`, 3, { reason: "fatal", code: "auth_failed" }],
  ])("ends by itself when going on is useless: %s", async (program, exit, last) => {
    projectOf({ id: "todo_one", program, meta: CHECK });
    const watched = worker();
    expect(await watched.ended).toBe(exit);
    expect(watched.last()).toMatchObject({ event: "stopped", reason: last.reason });
    expect(watched.has("turn_failed")).toBe(true);
  });

  test("of an unknown goal ends with what to do", async () => {
    projectOf();
    const watched = new WatchedWorker(project.start("run", "--worker", "--goal-id", "nope", "--agent-id", "a1"));
    expect(await watched.ended).toBe(3);
    expect(watched.reports).toMatchObject([{ event: "stopped", reason: "fatal", code: "unknown_goal" }]);
  });
});

test("four agents share the work: each todo is done once", async () => {
  const ids = ["one", "two", "three", "four", "five", "six"].map((name) => `todo_${name}`);
  projectOf(
    ...ids.map((id) => ({
      id,
      program: `fs.appendFileSync("${id}.out", "x");`,
      meta: { validation_checks: JSON.stringify([{ argv: ["test", "-f", `${id}.out`], inputs: [`${id}.out`] }]) },
    })),
  );
  const agents = ["a1", "a2", "a3", "a4"];
  const runs = agents.map((agent) =>
    project.loopx("run", "--goal-id", "g", "--agent-id", agent, "--until-idle", "--idle-exit", "2", "--json"),
  );
  const turns = (await Promise.all(runs)).flatMap(({ json }) => json.turns);
  expect(turns.map(({ outcome }) => outcome)).toEqual(ids.map(() => "completed"));
  for (const id of ids) expect([id, project.read(`${id}.out`), await project.closings(id)]).toEqual([id, "x", 1]);
});
